// SPDX-License-Identifier: Apache-2.0
#include "launcher/manual/help_text.hpp"

#include <fmt/format.h>

namespace cohort::manual {
namespace {

constexpr std::size_t names_width = 28;

// "  NAMES   what it is", over several lines if need be.
std::string row(const std::string& names, const std::string& what, Style style) {
  const std::string words = wrapped(what, style.width, names_width + 2);
  if (names.size() + 2 > names_width) return "  " + names + "\n" + words + "\n";
  return fmt::format("  {:{}}{}\n", names, names_width, words.empty() ? "" : words.substr(names_width + 2));
}

std::string meaning(const OptionDescription& option) {
  std::string what = option.what;
  if (option.required && !option.positional) what += " (needed)";
  if (!option.usual.empty()) what += " (default: " + option.usual + ")";
  return what;
}

}  // namespace

std::string heading(const std::string& text, Style style) { return style.bold ? "\033[1m" + text + "\033[0m" : text; }

std::string help_text(const ProgramDescription& program, const CommandDescription& command, Style style) {
  std::string text = fmt::format("{}: {}\n\n{} {}\n", heading(program.name + " " + command.name, style), command.what,
                                 heading("Usage:", style), command.usage);
  for (const std::string& group : groups_of(command)) {
    text += "\n" + heading(group + ":", style) + "\n";
    for (const OptionDescription& option : command.options) {
      if (option.group == group) text += row(with_value(option), meaning(option), style);
    }
  }
  for (const Piece& piece : pieces_of(command.more)) {
    text += piece.as_it_is ? "" : "\n";
    text += (piece.as_it_is ? piece.text : wrapped(piece.text, style.width, 0)) + "\n";
  }
  return text;
}

std::string overview(const ProgramDescription& program, Style style) {
  std::string text = program.what + "\n\n" + heading("Commands:", style) + "\n";
  for (const CommandDescription& command : program.commands) {
    text += fmt::format("  {:12}{}\n", command.name, command.what);
  }
  return text + fmt::format(
                    "\n{0} help COMMAND says more about a command, and {0} help shows what else there is to read.\n"
                    "{0} --version (-V) says which version this is.\n",
                    program.name);
}

}  // namespace cohort::manual
