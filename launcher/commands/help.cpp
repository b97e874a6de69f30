// SPDX-License-Identifier: Apache-2.0
// cohort help: what the commands are, what one of them does, and the manual's pages. cohort describe, which the build
// calls, writes what is made of the same description: manual pages, completions and the reference page.
#include <fmt/format.h>
#include <unistd.h>

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

struct Kind {
  const char* folder;
  const char* title;
  bool has_folders = true;
};
constexpr Kind kinds[] = {{"tutorial", "Tutorial"},
                          {"how-to", "How to"},
                          {"reference", "Reference"},
                          {"explanations", "Explanations"},
                          {"", "More", false}};

using Pages = std::map<std::string, fs::path>;

// The manual stands beside an installed cohort, and beside one that was built only.
fs::path manual_folder() { return fs::path(own_path()).parent_path().parent_path() / "share/doc/cohort"; }

// Pages by their names, those of a folder or of all within it. A folder's first page has the folder's name.
template <class Folder>
Pages pages_of(const Folder& folder) {
  Pages found;
  for (const fs::directory_entry& entry : folder) {
    const fs::path& path = entry.path();
    if (path.extension() == ".md") found[path.stem() == "README" ? path.parent_path().filename() : path.stem()] = path;
  }
  return found;
}

Pages all_pages() {
  Pages found;
  std::error_code none;
  for (const Kind& kind : kinds) {
    const fs::path folder = manual_folder() / kind.folder;
    found.merge(kind.has_folders ? pages_of(fs::recursive_directory_iterator(folder, none))
                                 : pages_of(fs::directory_iterator(folder, none)));
  }
  return found;
}

std::string list_of_pages(manual::Style style) {
  std::string text;
  for (const Kind& kind : kinds) {
    std::error_code none;
    const Pages pages = pages_of(fs::directory_iterator(manual_folder() / kind.folder, none));
    if (!pages.empty()) text += manual::heading("Pages of the manual: " + std::string(kind.title), style) + "\n";
    for (const auto& [name, path] : pages) {
      text += fmt::format("  {:19}{}\n", name, manual::title_of(read_file("help", path.string())));
    }
    if (!pages.empty()) text += "\n";
  }
  if (text.empty()) return "The manual's pages are not installed here.\n";
  return text + "cohort help PAGE shows one. Each operation, as bcast, has a page of its algorithms.\n";
}

int help(const manual::ProgramDescription& program, const std::string& topic) {
  const manual::Style style = Terminal(STDOUT_FILENO).style();
  const Pages known = all_pages();
  if (topic.empty()) {
    std::cout << manual::overview(program, style) << "\n" << list_of_pages(style);
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
  cohort help tutorial     ten steps, from hello to a job that survives
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
