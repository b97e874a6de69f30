// SPDX-License-Identifier: Apache-2.0
// Commands and their options, read by CLI11. Only command_line.cpp includes CLI11's headers, which take long to
// compile.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "launcher/manual/description.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace cohort {

// A handle: copies refer to the same option. The methods are CLI11's.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  Option type_name(const std::string& name) const;
  Option capture_default_str() const;
  Option default_str(const std::string& value) const;
  Option delimiter(char between) const;
  Option one_value() const;  // each occurrence takes one value
  Option take_all() const;   // keeps the values of all occurrences
  Option excludes(Option other) const;
  Option needs(Option other) const;
  Option one_of(const std::vector<std::string>& values) const;
  Option positive(const std::string& complaint) const;  // a whole number, from 1
  Option not_empty(const std::string& complaint) const;

 private:
  CLI::Option* option_;
};

// A handle: copies refer to the same command.
class CliCommand {
 public:
  explicit CliCommand(CLI::App* app) : app_(app) {}

  CliCommand add_subcommand(const std::string& name, const std::string& what) const;
  Option add_option(const std::string& name, std::string& value, const std::string& what = "") const;
  Option add_option(const std::string& name, std::vector<std::string>& values, const std::string& what = "") const;
  Option add_option(const std::string& name, int& value, const std::string& what = "") const;
  Option add_flag(const std::string& name, bool& value, const std::string& what) const;
  // `given` is called with the value if the option is on the command line. It may throw UsageError.
  Option add_option(const std::string& name, const std::function<void(const std::string&)>& given,
                    const std::string& what) const;
  Option add_flag(const std::string& name, const std::function<void(bool)>& given, const std::string& what) const;
  Option get_option(const std::string& name) const;

  void begin_group(const std::string& title) const;  // the heading of the options that are added from now on
  void footer(const std::string& text) const;
  void usage(const std::string& line) const;  // in place of the one that is made of the options
  void hide() const;                          // not listed by --help
  void prefix_command() const;
  std::vector<std::string> remaining() const;  // the words that a prefix command did not read
  void callback(std::function<void()> chosen) const;

 private:
  CLI::App* app_;
};

class CommandLine {
 public:
  CommandLine(const std::string& name, const std::string& what, const std::string& version);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  CliCommand commands() const { return CliCommand(app_.get()); }
  bool knows(const std::string& command) const;

  // All commands but the hidden ones.
  manual::ProgramDescription description() const;

  enum class Asked { command, help, version };

  // Calls the callback of the named command, unless the user asks for help or the version. Throws UsageError.
  Asked parse(std::vector<std::string> words);

 private:
  void look_through(std::vector<std::string>& words) const;

  std::unique_ptr<CLI::App> app_;
  std::string version_;
};

}  // namespace cohort
