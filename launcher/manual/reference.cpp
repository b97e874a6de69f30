// SPDX-License-Identifier: Apache-2.0
#include "launcher/manual/reference.hpp"

#include <fmt/format.h>

namespace cohort::manual {
namespace {

// What stands in a cell of a table. Bars part the cells, and not all readers of Markdown know an escape for them in
// code.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char letter : text) safe += letter == '|' ? std::string(" or ") : std::string(1, letter);
  return safe;
}

std::string row(const OptionDescription& option) {
  std::string what = option.what;
  if (option.required && !option.positional) what += ". Needed";
  if (!option.usual.empty()) what += ". Default: `" + option.usual + "`";
  return fmt::format("| `{}` | {} |\n", cell(with_value(option)), cell(what));
}

std::string section(const ProgramDescription& program, const CommandDescription& command) {
  std::string text =
      fmt::format("\n## {0} {1}\n\n{2}.\n\n```\n{3}\n```\n", program.name, command.name, command.what, command.usage);
  for (const std::string& group : groups_of(command)) {
    if (group == job_options && command.name != "run") {
      text += fmt::format("\n{}: those of [{} run](#{}-run).\n", group, program.name, program.name);
      continue;
    }
    text += fmt::format("\n| {} | |\n|---|---|\n", group);
    for (const OptionDescription& option : command.options) {
      if (option.group == group) text += row(option);
    }
  }
  for (const Piece& piece : pieces_of(command.more)) {
    text += piece.as_it_is ? "\n```text\n" + piece.text + "\n```\n" : "\n" + wrapped(piece.text, 120, 0) + "\n";
  }
  return text;
}

}  // namespace

std::string reference_page(const ProgramDescription& program) {
  std::string text = fmt::format(
      "# Commands and options\n\n<!-- Made by `tools/manual_pages` from the commands' own descriptions: change those. "
      "-->\n\n"
      "`{0} help COMMAND` and `man {0}-COMMAND` say the same.\n\n| command | |\n|---|---|\n",
      program.name);
  for (const CommandDescription& command : program.commands) {
    text += fmt::format("| [{0} {1}](#{0}-{1}) | {2} |\n", program.name, command.name, command.what);
  }
  for (const CommandDescription& command : program.commands) text += section(program, command);
  return text;
}

}  // namespace cohort::manual
