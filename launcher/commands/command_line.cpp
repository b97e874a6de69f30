// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>

#include "collectives/nearest_name.hpp"
#include "launcher/algorithm_names.hpp"
#include "launcher/commands/mpirun_options.hpp"
#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

constexpr const char* ranks_of_mpirun = "-np";  // CLI11 would read it as -n p

class OwnUsage : public CLI::Formatter {
 public:
  explicit OwnUsage(std::string line) : line_(std::move(line)) {}
  const std::string& line() const { return line_; }

 private:
  std::string line_;
};

bool takes_a_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

// Whether CLI11 reads this word as an option, or several.
bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

bool starts_a_job(const CLI::App& command) { return command.get_option_no_throw("-n") != nullptr; }

// "run: ", or nothing for the whole program.
std::string who(const CLI::App& command) {
  return command.get_parent() != nullptr ? command.get_name() + ": " : std::string();
}

// Options of one letter are alike only if no more than this differs.
bool differ_in_case(char a, char b) { return (a ^ b) == ('a' ^ 'A'); }

// What may have been meant, as the rest of the sentence.
std::string hint_for(const CLI::App& command, const std::string& name) {
  const bool takes_ranks = command.get_option_no_throw("--ranks") != nullptr;
  if (takes_ranks && (name == "-n" || name == ranks_of_mpirun)) return " (did you mean '--ranks'?)";
  const std::string instead = starts_a_job(command) ? in_place_of_mpiruns(name) : "";
  if (!instead.empty()) return instead;
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& other : option->get_lnames()) known.push_back("--" + other);
    for (const std::string& other : option->get_snames()) {
      if (name.size() > 2 || differ_in_case(name.back(), other.front())) known.push_back("-" + other);
    }
  }
  return did_you_mean(name, known);
}

UsageError unknown_option(const CLI::App& command, const std::string& name) {
  return UsageError(who(command) + "unknown option " + name + hint_for(command, name));
}

// Whether this is an option of mpirun with one dash, as -host, which would pass for several of one letter.
bool is_mpiruns(const CLI::App& command, const std::string& name) {
  return starts_a_job(command) && command.get_option_no_throw(name) == nullptr && !in_place_of_mpiruns(name).empty();
}

// Whether the value of the option in this word is the next word. Throws UsageError if there is no such option.
bool takes_the_next(const CLI::App& command, const std::string& word) {
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  if (word.starts_with("--")) {
    const CLI::Option* option = command.get_option_no_throw(name);
    if (option == nullptr) throw unknown_option(command, name);
    return equals == std::string::npos && takes_a_value(*option);
  }
  if (is_mpiruns(command, name)) throw unknown_option(command, name);
  for (std::size_t i = 1; i < word.size(); ++i) {  // flags may stand together: -ab
    const CLI::Option* option = command.get_option_no_throw(std::string("-") + word[i]);
    if (option == nullptr) throw unknown_option(command, i == 1 ? word : std::string("-") + word[i]);
    if (takes_a_value(*option)) return i + 1 == word.size();
  }
  return false;
}

manual::OptionDescription description_of(const CLI::Option& option) {
  manual::OptionDescription described;
  described.positional = option.get_positional();
  if (described.positional) described.names = {option.get_name(true)};
  for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) described.names.push_back("--" + name);
  described.group = described.positional ? manual::arguments : option.get_group();
  if (takes_a_value(option)) described.value = option.get_type_name();
  described.what = option.get_description();
  described.usual = option.get_default_str();
  described.required = option.get_required();
  described.repeated = option.get_expected_max() > 1;
  return described;
}

manual::CommandDescription description_of(const std::string& program, const CLI::App& app) {
  manual::CommandDescription described{app.get_name(), app.get_description(), "", {}, app.get_footer()};
  for (const CLI::Option* option : app.get_options()) {
    if (option != app.get_help_ptr()) described.options.push_back(description_of(*option));
  }
  described.options.push_back(description_of(*app.get_help_ptr()));
  std::ranges::stable_partition(described.options, [](const auto& option) { return option.positional; });
  described.usage = program + " " + described.name + " [OPTIONS]";
  for (const auto& option : described.options) {
    if (option.positional) described.usage += " " + (option.required ? option.names[0] : "[" + option.names[0] + "]");
  }
  if (const auto own = std::dynamic_pointer_cast<OwnUsage>(app.get_formatter())) described.usage = own->line();
  return described;
}

}  // namespace

Option Option::required() const { return Option(option_->required()); }
Option Option::type_name(const std::string& name) const { return Option(option_->type_name(name)); }
Option Option::capture_default_str() const { return Option(option_->capture_default_str()); }
Option Option::default_str(const std::string& value) const { return Option(option_->default_str(value)); }
Option Option::delimiter(char between) const { return Option(option_->delimiter(between)); }
Option Option::one_value() const { return Option(option_->allow_extra_args(false)); }
Option Option::take_all() const { return Option(option_->take_all()); }
Option Option::excludes(Option other) const { return Option(option_->excludes(other.option_)); }
Option Option::needs(Option other) const { return Option(option_->needs(other.option_)); }
Option Option::one_of(const std::vector<std::string>& values) const {
  return Option(option_->check(CLI::IsMember(values).description("")));
}
Option Option::positive(const std::string& complaint) const {
  const auto check = [complaint](const std::string& given) {
    int number = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), number);
    const bool whole = error == std::errc() && end == given.data() + given.size();
    return whole && number > 0 ? std::string() : complaint + given;
  };
  return Option(option_->check(check, ""));
}
Option Option::not_empty(const std::string& complaint) const {
  return Option(
      option_->check([complaint](const std::string& given) { return given.empty() ? complaint : std::string(); }, ""));
}

CliCommand CliCommand::add_subcommand(const std::string& name, const std::string& what) const {
  CLI::App* const command = app_->add_subcommand(name, what);
  command->option_defaults()->group(manual::own_options);
  command->get_help_ptr()->group(manual::own_options)->description("Say this, and do nothing else");
  return CliCommand(command);
}
Option CliCommand::add_option(const std::string& name, std::string& value, const std::string& what) const {
  return Option(app_->add_option(name, value, what));
}
Option CliCommand::add_option(const std::string& name, std::vector<std::string>& values,
                              const std::string& what) const {
  return Option(app_->add_option(name, values, what));
}
Option CliCommand::add_option(const std::string& name, int& value, const std::string& what) const {
  return Option(app_->add_option(name, value, what));
}
Option CliCommand::add_flag(const std::string& name, bool& value, const std::string& what) const {
  return Option(app_->add_flag(name, value, what));
}
Option CliCommand::add_option(const std::string& name, const std::function<void(const std::string&)>& given,
                              const std::string& what) const {
  return Option(app_->add_option_function<std::string>(name, given, what));
}
Option CliCommand::add_flag(const std::string& name, const std::function<void(bool)>& given,
                            const std::string& what) const {
  const auto last = [given](std::int64_t count) { given(count > 0); };
  return Option(app_->add_flag_function(name, last, what)->take_last());
}
Option CliCommand::get_option(const std::string& name) const { return Option(app_->get_option(name)); }

void CliCommand::begin_group(const std::string& title) const { app_->option_defaults()->group(title); }
void CliCommand::footer(const std::string& text) const { app_->footer(text); }
void CliCommand::usage(const std::string& line) const { app_->formatter(std::make_shared<OwnUsage>(line)); }
void CliCommand::hide() const { app_->group(""); }
void CliCommand::prefix_command() const { app_->prefix_command(); }
std::vector<std::string> CliCommand::remaining() const { return app_->remaining(); }
void CliCommand::callback(std::function<void()> chosen) const { app_->callback(std::move(chosen)); }

CommandLine::CommandLine(const std::string& name, const std::string& what, const std::string& version)
    : app_(std::make_unique<CLI::App>(what)), version_(version) {
  app_->name(name);
  app_->set_version_flag("-V,--version", name + " " + version);
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

bool CommandLine::knows(const std::string& command) const {
  return std::ranges::any_of(app_->get_subcommands({}),
                             [&](const CLI::App* known) { return known->get_name() == command; });
}

manual::ProgramDescription CommandLine::description() const {
  manual::ProgramDescription program{app_->get_name(), app_->get_description(), version_, {}, {}};
  for (const CLI::App* command : app_->get_subcommands({})) {
    if (!command->get_group().empty()) program.commands.push_back(description_of(app_->get_name(), *command));
  }
  for (const Operation operation : collective_operations()) program.operations.emplace_back(name_of(operation));
  return program;
}

// Finds unknown options, up to another program's words, and writes -np as -n.
void CommandLine::look_through(std::vector<std::string>& words) const {
  if (words.empty()) return;
  if (is_option(words.front())) {
    const std::string name = words.front().substr(0, words.front().find('='));
    const bool is_of_run = name == ranks_of_mpirun || app_->get_subcommand("run")->get_option_no_throw(name) != nullptr;
    if (is_of_run && app_->get_option_no_throw(name) == nullptr)
      throw UsageError(name + " is an option of a command: cohort run " + name + " ...");
    static_cast<void>(takes_the_next(*app_, words.front()));
    return;
  }
  if (!knows(words.front())) return;
  const CLI::App& command = *app_->get_subcommand(words.front());
  for (std::size_t i = 1; i < words.size() && words[i] != "--"; ++i) {
    if (!is_option(words[i])) {
      if (command.get_prefix_command()) return;
      continue;
    }
    if (words[i] == ranks_of_mpirun && starts_a_job(command)) words[i] = "-n";
    if (takes_the_next(command, words[i])) ++i;
  }
}

CommandLine::Asked CommandLine::parse(std::vector<std::string> words) {
  look_through(words);
  std::ranges::reverse(words);  // as CLI11 wants them
  try {
    app_->parse(words);
    return Asked::command;
  } catch (const CLI::CallForVersion&) {
    return Asked::version;
  } catch (const CLI::Success&) {
    return Asked::help;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace cohort
