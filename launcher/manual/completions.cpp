// SPDX-License-Identifier: Apache-2.0
#include "launcher/manual/completions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

namespace cohort::manual {
namespace {

// What can be said of an option's value, or of a positional's.
std::vector<std::string> values_of(const ProgramDescription& program, const OptionDescription& option) {
  std::vector<std::string> values = words_of(option);
  const std::string& takes = option.positional ? option.names.front() : option.value;
  if (takes == "OPERATION" || takes == "NAME")
    values.insert(values.end(), program.operations.begin(), program.operations.end());
  if (option.positional && takes == "COMMAND") {
    for (const CommandDescription& command : program.commands) values.push_back(command.name);
  }
  return values;
}

std::vector<std::string> names_of(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const OptionDescription& option : command.options) {
    if (!option.positional) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

std::vector<std::string> commands_of(const ProgramDescription& program) {
  std::vector<std::string> names;
  for (const CommandDescription& command : program.commands) names.push_back(command.name);
  return names;
}

// The text within single quotes of a shell. fish knows the same way to write a quote in it.
std::string in_quotes(std::string_view text) {
  std::string safe = "'";
  for (const char letter : text) safe += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return safe + "'";
}

// The description of an option in zsh's _arguments, where brackets and colons mean something.
std::string for_zsh(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') safe += '\\';
    safe += letter;
  }
  return safe;
}

std::string zsh_value(const ProgramDescription& program, const OptionDescription& option) {
  const std::vector<std::string> values = values_of(program, option);
  const std::string what = for_zsh(option.positional ? option.names.front() : option.value);
  return what + ":" + (values.empty() ? "_files" : fmt::format("({})", fmt::join(values, " ")));
}

std::string first_sentence(const std::string& what) { return what.substr(0, what.find(';')); }

}  // namespace

std::string bash_completion(const ProgramDescription& program) {
  std::string values, options, positionals;
  for (const CommandDescription& command : program.commands) {
    options += fmt::format("    {}) options={} ;;\n", command.name,
                           in_quotes(fmt::format("{}", fmt::join(names_of(command), " "))));
    for (const OptionDescription& option : command.options) {
      const std::string words = in_quotes(fmt::format("{}", fmt::join(values_of(program, option), " ")));
      if (words == "''") continue;
      if (option.positional) positionals += fmt::format("    {}) words={} ;;\n", command.name, words);
      for (const std::string& name : option.names) {
        if (!option.positional) values += fmt::format("    {},{}) words={} ;;\n", command.name, name, words);
      }
    }
  }
  return fmt::format(R"(# Completions of {0} for bash.
_{0}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} command=${{COMP_WORDS[1]}} options='' words=''
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W {1} -- "$word"))
    return
  fi
  case $command in
{2}  esac
  case $command in
{3}  esac
  case $command,$before in
{4}  esac
  if [[ $word == -* ]]; then words=$options; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -o bashdefault -F _{0} {0}
)",
                     program.name, in_quotes(fmt::format("{} --help --version", fmt::join(commands_of(program), " "))),
                     options, positionals, values);
}

std::string zsh_completion(const ProgramDescription& program) {
  std::string commands, cases;
  for (const CommandDescription& command : program.commands) {
    commands += "    " + in_quotes(command.name + ":" + for_zsh(command.what)) + "\n";
    cases += fmt::format("    {})\n      _arguments -s", command.name);
    for (const OptionDescription& option : command.options) {
      for (const std::string& name : option.names) {
        const std::string what = for_zsh(first_sentence(option.what));
        const std::string rest = option.positional      ? "*:" + zsh_value(program, option)
                                 : option.value.empty() ? name + "[" + what + "]"
                                                        : name + "[" + what + "]:" + zsh_value(program, option);
        cases += " \\\n        " + in_quotes((option.repeated && !option.positional ? "*" : "") + rest);
      }
    }
    const bool runs = command.name == "run";  // what follows is another program's line
    cases += std::string(runs ? " \\\n        '*::program: _normal'" : "") + "\n      ;;\n";
  }
  return fmt::format(R"(#compdef {0}
# Completions of {0} for zsh.
local -a commands
if ((CURRENT == 2)); then
  commands=(
{1}  )
  _describe command commands
else
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{2}  esac
fi
)",
                     program.name, commands, cases);
}

std::string fish_completion(const ProgramDescription& program) {
  std::string text = fmt::format("# Completions of {0} for fish.\n", program.name);
  for (const CommandDescription& command : program.commands) {
    text += fmt::format("complete -c {} -n __fish_use_subcommand -f -a {} -d {}\n", program.name, command.name,
                        in_quotes(command.what));
  }
  for (const CommandDescription& command : program.commands) {
    const std::string begin =
        fmt::format("complete -c {} -n '__fish_seen_subcommand_from {}'", program.name, command.name);
    for (const OptionDescription& option : command.options) {
      const std::string values = fmt::format("{}", fmt::join(values_of(program, option), " "));
      const std::string takes = values.empty() ? "" : " -f -a " + in_quotes(values);
      if (option.positional) {
        if (!takes.empty()) text += begin + takes + "\n";
        continue;
      }
      text += begin;
      for (const std::string& name : option.names) {
        text +=
            name.starts_with("--") ? " -l " + name.substr(2) : (name.size() == 2 ? " -s " : " -o ") + name.substr(1);
      }
      text += (option.value.empty() ? "" : " -r") + takes + " -d " + in_quotes(first_sentence(option.what)) + "\n";
    }
  }
  return text;
}

}  // namespace cohort::manual
