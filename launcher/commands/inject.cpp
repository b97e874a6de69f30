// SPDX-License-Identifier: Apache-2.0
// cohort inject: injects a fault into a running job.
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "launcher/commands/commands.hpp"
#include "launcher/commands/launcher_call.hpp"
#include "launcher/printable.hpp"
#include "launcher/read_file.hpp"
#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

// The words "delay", "from=0", "delay_s=0.05" as a [[fault]] in TOML.
std::string as_toml(const std::vector<std::string>& words) {
  std::string text = "[[fault]]\n";
  for (const std::string& word : words) {
    if (word.find_first_of("\n\"\\") != std::string::npos) throw UsageError("inject: '" + word + "' makes no sense");
    const std::size_t equals = word.find('=');
    const bool first = &word == &words.front();
    if (!first && equals == std::string::npos) throw UsageError("inject: KEY=VALUE is needed, not '" + word + "'");
    const std::string key = first ? "kind" : word.substr(0, equals);
    const std::string value = first ? word : word.substr(equals + 1);
    const bool plain = value == "true" || value == "false" ||
                       (!value.empty() && value.find_first_not_of("0123456789.eE+-") == std::string::npos);
    text += "\"" + key + "\" = " + (plain ? value : "\"" + value + "\"") + "\n";
  }
  return text;
}

int inject(int launcher, const std::vector<std::string>& words, const std::string& file) {
  if (words.empty() == file.empty()) throw UsageError("inject: which fault? FAULT KEY=VALUE ..., or --faults FILE");
  expect_job("inject", launcher);
  const std::string faults = file.empty() ? as_toml(words) : read_file("--faults", file);
  const std::string job = ask_to_describe(launcher, false).job;  // a fault may end the job
  const std::string mistake = ask_to_inject(launcher, faults);
  if (!mistake.empty()) throw UsageError("inject: " + mistake);
  std::cout << "injected into job " << launcher << ": " << printable(job) << "\n";
  return 0;
}

constexpr const char* inject_footer = R"(
FAULT and the keys are those of a file for cohort run --faults; docs/reference/fault_file.md describes them. Faults of a
process are kill, stop and slow; faults of a link are delay, throttle, reset, black_hole, corrupt and refuse. Times count
from now.
One line says which program it was.

Examples:
  cohort inject 4711 kill rank=3
  cohort inject 4711 stop rank=random for_s=2
  cohort inject 4711 delay from=0 to=3 delay_s=0.05 for_s=10
  cohort inject 4711 --faults faults.toml)";

}  // namespace

void add_inject_command(CliCommand app, Action& action) {
  struct Options {
    int job = 0;
    std::vector<std::string> words;
    std::string file;
  };
  const auto options = std::make_shared<Options>();
  const CliCommand command = app.add_subcommand("inject", "Let a fault happen in a running job");
  command.add_option("JOB", options->job, "Which one: the process number of its launcher")
      .required()
      .positive(is_no_job);
  command.add_option("FAULT", options->words, "Which fault, and its keys: FAULT KEY=VALUE ...");
  command.add_option("--faults", options->file, "The faults of a file instead").type_name("FILE");
  command.footer(inject_footer);
  command.callback(
      [options, &action] { action = [options] { return inject(options->job, options->words, options->file); }; });
}

}  // namespace cohort
