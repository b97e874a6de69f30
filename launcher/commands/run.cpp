// SPDX-License-Identifier: Apache-2.0
// cohort run: makes a job of its options, and runs it.
#include <memory>

#include "launcher/commands/commands.hpp"
#include "launcher/commands/launch_options.hpp"
#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

// `behind_dashes` begins with the first "--". If the program is named before that, "--" is one of its arguments.
int run(const LaunchOptions& options, std::vector<std::string> command, std::vector<std::string> behind_dashes) {
  if (command.empty() && !behind_dashes.empty()) behind_dashes.erase(behind_dashes.begin());
  command.insert(command.end(), behind_dashes.begin(), behind_dashes.end());
  if (command.empty()) throw UsageError("run: which program?");
  if (command.front().empty()) throw UsageError("run: the program's name is empty");
  const std::string program = command.front();
  command.erase(command.begin());
  return run_job(options.plan(program, std::move(command)));
}

constexpr const char* run_footer = R"(
PROGRAM is looked for as a shell does, on each host, and at last beside cohort itself. The processes get ranks 0 ... P-1
in the order of the hosts. Standard input goes to rank 0; output lines of all processes come whole.

Exit status:
  0             all processes have left the job
  N             that of the first process that failed; 128 + signal if it was killed
  1             a host could not be reached, a host or a process was given up,
                or a process ended without leaving the job
  2             a mistake on this command line
  124           the job was ended by --timeout
  125           a deadlock (develop mode)
  126, 127      PROGRAM could not be run, or not be found
  128 + signal  cohort itself was told to end (130: Ctrl-C)
  141           nobody reads the output any more

Examples:
  cohort run -n 4 ./program                          four processes on this machine
  cohort run -n 8 --label hostname                   any program; each line says whose it is
  cohort run -n 32 --hosts a:16,b:16 ./program       two machines, over ssh without a password
  cohort run -n 4 --timeout 60 --mode develop ./program   in develop mode, ended after a minute)";

}  // namespace

void add_run_command(CliCommand app, Action& action, std::vector<std::string> behind_dashes) {
  const auto options = std::make_shared<LaunchOptions>();
  const CliCommand command = app.add_subcommand("run", "Start a program as many processes, here or on many hosts");
  options->add_to(command);
  command.usage("cohort run -n P [OPTIONS] [--] PROGRAM [ARG ...]");
  command.footer(run_footer);
  command.prefix_command();
  command.callback([command, options, &action, behind_dashes = std::move(behind_dashes)] {
    action = [command, options, behind_dashes] { return run(*options, command.remaining(), behind_dashes); };
  });
}

}  // namespace cohort
