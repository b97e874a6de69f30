// SPDX-License-Identifier: Apache-2.0
#include "launcher/manual/man_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <vector>

namespace cohort::manual {
namespace {

// Text as roff: nothing in it is a request or an escape, and hyphens stay what users type.
std::string roff(const std::string& text) {
  std::string safe;
  bool line_begins = true;
  for (const char letter : text) {
    if (line_begins && (letter == '.' || letter == '\'')) safe += "\\&";
    if (letter == '\\') {
      safe += "\\e";
    } else if (letter == '-') {
      safe += "\\-";
    } else {
      safe += letter;
    }
    line_begins = letter == '\n';
  }
  return safe;
}

std::string upper(std::string text) {
  std::ranges::transform(text, text.begin(),
                         [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

std::string head(const ProgramDescription& program, const std::string& page, const std::string& what) {
  return fmt::format(".TH {} 1 \"\" \"{} {}\" \"User Commands\"\n.SH NAME\n{} \\- {}\n", upper(roff(page)),
                     program.name, program.version, roff(page), roff(what));
}

std::string entry(const OptionDescription& option) {
  std::string names;
  for (const std::string& name : option.names) names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  if (!option.positional && !option.value.empty()) names += " \\fI" + roff(option.value) + "\\fR";
  std::string what = roff(option.what);
  if (!what.empty() && what.back() != '.') what += ".";
  if (option.required && !option.positional) what += " Needed.";
  if (!option.usual.empty()) what += " Default: " + roff(option.usual) + ".";
  return ".TP\n" + names + "\n" + what + "\n";
}

std::string see_also(const ProgramDescription& program, const std::string& page) {
  std::vector<std::string> pages = {program.name};
  for (const CommandDescription& command : program.commands) pages.push_back(program.name + "-" + command.name);
  std::erase(pages, page);
  std::string text = ".SH \"SEE ALSO\"\n";
  for (const std::string& other : pages)
    text += fmt::format(".BR {} (1){}\n", roff(other), other == pages.back() ? "" : ",");
  return text;
}

std::string more(const CommandDescription& command) {
  std::string text;
  for (const Piece& piece : pieces_of(command.more)) {
    text += piece.as_it_is ? ".EX\n" + roff(piece.text) + "\n.EE\n" : ".PP\n" + roff(piece.text) + "\n";
  }
  return text;
}

}  // namespace

std::string man_page(const ProgramDescription& program) {
  std::string text =
      head(program, program.name, program.what) +
      fmt::format(".SH SYNOPSIS\n.B {0}\n.I COMMAND\n[\\fIOPTIONS\\fR] ...\n.SH COMMANDS\n", program.name);
  for (const CommandDescription& command : program.commands) {
    text += fmt::format(".TP\n.BR {}\\-{} (1)\n{}.\n", program.name, roff(command.name), roff(command.what));
  }
  return text +
         fmt::format(
             ".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nPrints the commands.\n"
             ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\nPrints the version.\n"
             ".PP\n\\fB{0} help\\fR shows the manual's other pages.\n",
             program.name) +
         see_also(program, program.name);
}

std::string man_page(const ProgramDescription& program, const CommandDescription& command) {
  const std::string page = program.name + "-" + command.name;
  std::string text = head(program, page, command.what) + ".SH SYNOPSIS\n" + roff(command.usage) + "\n";
  if (!command.more.empty()) text += ".SH DESCRIPTION\n" + more(command);
  for (const std::string& group : groups_of(command)) {
    text += ".SH \"" + upper(roff(group)) + "\"\n";
    for (const OptionDescription& option : command.options) {
      if (option.group == group) text += entry(option);
    }
  }
  return text + see_also(program, page);
}

}  // namespace cohort::manual
