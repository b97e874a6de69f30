// SPDX-License-Identifier: Apache-2.0
// What a user can type, as data. Help, manual pages, completions and the reference page are made from it.
#pragma once

#include <string>
#include <vector>

namespace cohort::manual {

// The headings of options: those of how a job is started, which several commands have, and all others.
inline constexpr const char* job_options = "Options for a job";
inline constexpr const char* own_options = "Options";
inline constexpr const char* arguments = "Arguments";

struct OptionDescription {
  std::vector<std::string> names;  // "-o", "--output"; of a positional, its name
  std::string group;               // the heading that it stands under
  std::string value;               // what it takes: "FILE", "run|develop"; empty: a flag
  std::string what;
  std::string usual;  // the value without the option, or empty
  bool positional = false;
  bool required = false;
  bool repeated = false;  // takes several values
};

struct CommandDescription {
  std::string name;
  std::string what;                        // one line
  std::string usage;                       // "cohort run -n P [OPTIONS] ..."
  std::vector<OptionDescription> options;  // positionals first
  std::string more;                        // paragraphs; indented lines stay as they are
};

struct ProgramDescription {
  std::string name;
  std::string what;
  std::string version;
  std::vector<CommandDescription> commands;  // without those that the launcher itself starts
  std::vector<std::string> operations;       // the values of options and positionals that take an operation
};

// The words that an option takes, if it takes one of a few: "run", "develop".
std::vector<std::string> words_of(const OptionDescription& option);

// "-o, --output FILE"
std::string with_value(const OptionDescription& option);

// The headings of a command's options, each once, in order.
std::vector<std::string> groups_of(const CommandDescription& command);

// Pieces of a command's `more`: a paragraph's words, or lines that stay as they are.
struct Piece {
  bool as_it_is = false;
  std::string text;
};
std::vector<Piece> pieces_of(const std::string& more);

// The words in lines of at most so many characters, each behind `indent` blanks.
std::string wrapped(const std::string& words, std::size_t width, std::size_t indent);

}  // namespace cohort::manual
