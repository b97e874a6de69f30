// SPDX-License-Identifier: Apache-2.0
// cohort help: what the commands are, what one of them does, and the manual's pages. cohort describe, which the build
// calls, writes what is made of the same description: manual pages, completions and the reference page.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>

#include "collectives/nearest_name.hpp"
#include "launcher/commands/commands.hpp"
#include "launcher/commands/terminal.hpp"
#include "launcher/host/program.hpp"
#include "launcher/manual/completions.hpp"
#include "launcher/manual/help_text.hpp"
#include "launcher/manual/man_page.hpp"
#include "launcher/manual/page.hpp"
#include "launcher/manual/reference.hpp"
#include "launcher/read_file.hpp"
#include "launcher/usage_error.hpp"
#include "launcher/write_file.hpp"

namespace cohort {

namespace {

namespace fs = std::filesystem;

// The manual's pages by their names: beside an installed cohort, and beside one that was built only.
std::map<std::string, fs::path> pages() {
  std::map<std::string, fs::path> found;
  std::error_code none;
  const fs::path folder = fs::path(own_path()).parent_path().parent_path() / "share/doc/cohort/manual";
  for (const auto& entry : fs::recursive_directory_iterator(folder, none)) {
    if (entry.path().extension() == ".md") found[entry.path().stem()] = entry.path();
  }
  return found;
}

std::string list_of(const std::map<std::string, fs::path>& pages, manual::Style style) {
  if (pages.empty()) return "The manual's pages are not installed here.\n";
  std::string text = manual::heading("Pages of the manual:", style) + "\n";
  for (const auto& [name, path] : pages) {
    text += "  " + name + std::string(std::max<std::size_t>(18, name.size() + 1) - name.size(), ' ') +
            manual::title_of(read_file("help", path.string())) + "\n";
  }
  return text + "\ncohort help PAGE shows one.\n";
}

int help(const manual::ProgramDescription& program, const std::string& topic) {
  const manual::Style style = Terminal(STDOUT_FILENO).style();
  const std::map<std::string, fs::path> known = pages();
  if (topic.empty()) {
    std::cout << manual::overview(program, style) << "\n" << list_of(known, style);
    return 0;
  }
  std::vector<std::string> names;
  for (const manual::CommandDescription& command : program.commands) {
    if (command.name == topic) {
      std::cout << manual::help_text(program, command, style);
      return 0;
    }
    names.push_back(command.name);
  }
  if (const auto page = known.find(topic); page != known.end()) {
    show_in_pager(manual::in_terminal(read_file("help", page->second.string()), style));
    return 0;
  }
  for (const auto& [name, path] : known) names.push_back(name);
  throw UsageError("help: there is no command or page '" + topic + "'" + did_you_mean(topic, names) +
                   "; cohort help lists them");
}

int describe(const manual::ProgramDescription& program, const fs::path& folder) {
  std::map<std::string, std::string> files = {
      {"man/man1/" + program.name + ".1", manual::man_page(program)},
      {"bash-completion/completions/" + program.name, manual::bash_completion(program)},
      {"zsh/site-functions/_" + program.name, manual::zsh_completion(program)},
      {"fish/vendor_completions.d/" + program.name + ".fish", manual::fish_completion(program)},
      {"commands.md", manual::reference_page(program)}};
  for (const manual::CommandDescription& command : program.commands) {
    files["man/man1/" + program.name + "-" + command.name + ".1"] = manual::man_page(program, command);
  }
  for (const auto& [name, text] : files) {
    fs::create_directories((folder / name).parent_path());
    write_file("describe", (folder / name).string(), text);
  }
  return 0;
}

constexpr const char* help_footer = R"(
Without a name it lists the commands and the manual's pages. On a terminal a page is shown by $PAGER, or less.

Examples:
  cohort help run          the options of cohort run
  cohort help failures     what happens when processes die)";

}  // namespace

void add_help_command(CliCommand app, Action& action, const CommandLine& line) {
  const auto topic = std::make_shared<std::string>();
  const CliCommand command = app.add_subcommand("help", "Say what a command does, or show a page of the manual");
  command.add_option("COMMAND", *topic, "A command, or a page of the manual");
  command.footer(help_footer);
  command.callback([topic, &action, &line] { action = [topic, &line] { return help(line.description(), *topic); }; });
}

void add_describe_command(CliCommand app, Action& action, const CommandLine& line) {
  const auto folder = std::make_shared<std::string>();
  const CliCommand command = app.add_subcommand("describe", "Write manual pages, completions and the reference page");
  command.hide();
  command.add_option("FOLDER", *folder).required();
  command.callback(
      [folder, &action, &line] { action = [folder, &line] { return describe(line.description(), *folder); }; });
}

}  // namespace cohort
