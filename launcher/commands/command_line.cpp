// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

class OwnUsage : public CLI::Formatter {
 public:
  explicit OwnUsage(std::string line) : line_(std::move(line)) {}
  std::string make_usage(const CLI::App* /*command*/, std::string /*name*/) const override { return line_; }

 private:
  std::string line_;
};

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
  return Option(option_->check(CLI::IsMember(values)));
}
Option Option::positive() const { return Option(option_->check(CLI::PositiveNumber)); }
Option Option::not_empty(const std::string& complaint) const {
  return Option(
      option_->check([complaint](const std::string& given) { return given.empty() ? complaint : std::string(); }, ""));
}

CliCommand CliCommand::add_subcommand(const std::string& name, const std::string& what) const {
  return CliCommand(app_->add_subcommand(name, what));
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

void CliCommand::footer(const std::string& text) const { app_->footer(text); }
void CliCommand::usage(const std::string& line) const { app_->formatter(std::make_shared<OwnUsage>(line)); }
void CliCommand::hide() const { app_->group(""); }
void CliCommand::prefix_command() const { app_->prefix_command(); }
std::vector<std::string> CliCommand::remaining() const { return app_->remaining(); }
void CliCommand::callback(std::function<void()> chosen) const { app_->callback(std::move(chosen)); }

CommandLine::CommandLine(const std::string& name, const std::string& what, const std::string& version)
    : app_(std::make_unique<CLI::App>(what)) {
  app_->name(name);
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
}

CommandLine::~CommandLine() = default;

bool CommandLine::knows(const std::string& command) const {
  return std::ranges::any_of(app_->get_subcommands({}),
                             [&](const CLI::App* known) { return known->get_name() == command; });
}

bool CommandLine::parse(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
    return true;
  } catch (const CLI::Success& request) {
    app_->exit(request);
    return false;
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace cohort
