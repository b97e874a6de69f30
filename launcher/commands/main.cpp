// SPDX-License-Identifier: Apache-2.0
// The `cohort` command.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "collectives/nearest_name.hpp"
#include "launcher/commands/command_line.hpp"
#include "launcher/commands/commands.hpp"
#include "launcher/commands/terminal.hpp"
#include "launcher/host/signal_settings.hpp"
#include "launcher/manual/help_text.hpp"
#include "launcher/printable.hpp"
#include "launcher/usage_error.hpp"

namespace {

// Opens /dev/null for each standard stream that was closed at the start. A library may have opened the free descriptor
// for itself: then it closes on exec, which no inherited descriptor does. In that case starts this program again.
void open_standard_descriptors(char** argv) {
  bool taken = false;
  for (int standard = 0; standard < 3; ++standard) {
    const int flags = ::fcntl(standard, F_GETFD);
    if (flags == 0) continue;
    taken = taken || flags > 0;
    ::close(standard);
    if (::open("/dev/null", O_RDWR) != standard) _exit(2);
  }
  if (taken) ::execv("/proc/self/exe", argv);
}

std::string prefix() { return cohort::Terminal(STDERR_FILENO).bad("cohort:") + " "; }

int usage_error(const std::string& command, std::string what) {
  std::replace(what.begin(), what.end(), '\n', ' ');
  std::cerr << prefix() << cohort::printable(what) << " (" << command << " --help tells more)\n";
  return 2;
}

// What --help says: of the command, or else of all.
std::string help(const cohort::manual::ProgramDescription& program, const std::string& wanted) {
  const cohort::manual::Style style = cohort::Terminal(STDOUT_FILENO).style();
  const auto command = std::ranges::find(program.commands, wanted, &cohort::manual::CommandDescription::name);
  return command == program.commands.end() ? overview(program, style) : help_text(program, *command, style);
}

std::string unknown_command(const cohort::manual::ProgramDescription& program, const std::string& wanted) {
  std::vector<std::string> known;
  for (const cohort::manual::CommandDescription& command : program.commands) known.push_back(command.name);
  return "there is no command '" + wanted + "'" + cohort::did_you_mean(wanted, known);
}

}  // namespace

int main(int argc, char** argv) {
  open_standard_descriptors(argv);
  cohort::inherited_signals();
  ::signal(SIGPIPE, SIG_IGN);

  cohort::CommandLine line("cohort", "Starts programs that are many processes, and brings the processes together",
                           COHORT_VERSION);
  const cohort::CliCommand app = line.commands();
  const std::string wanted = argc > 1 ? argv[1] : "-";
  // CLI11 removes the words after "--" from a command without positionals. The program of `run` may be among them.
  char** const parsed_end = wanted == "run" ? std::find(argv, argv + argc, std::string_view("--")) : argv + argc;
  cohort::Action action;
  cohort::add_run_command(app, action, {parsed_end, argv + argc});
  cohort::add_agent_command(app, action);
  cohort::add_doctor_command(app, action);
  cohort::add_status_command(app, action);
  cohort::add_inject_command(app, action);
  cohort::add_bench_command(app, action);
  cohort::add_tune_command(app, action);
  cohort::add_probe_command(app, action);
  cohort::add_algorithms_command(app, action);
  cohort::add_verify_command(app, action);
  cohort::add_model_command(app, action);
  cohort::add_draw_command(app, action);
  cohort::add_help_command(app, action, line);
  cohort::add_describe_command(app, action, line);
  const bool known = line.knows(wanted);
  const std::string command_line = known ? "cohort " + wanted : "cohort";
  try {
    if (!known && !wanted.starts_with('-')) throw cohort::UsageError(unknown_command(line.description(), wanted));
    const auto asked = argc == 1 ? cohort::CommandLine::Asked::help : line.parse({argv + 1, parsed_end});
    if (asked == cohort::CommandLine::Asked::command) return action();
    std::cout << (asked == cohort::CommandLine::Asked::version ? "cohort " COHORT_VERSION "\n"
                                                               : help(line.description(), wanted));
    return 0;
  } catch (const cohort::UsageError& error) {
    return usage_error(command_line, error.what());
  } catch (const std::exception& error) {
    std::cerr << prefix() << cohort::printable(error.what()) << '\n';
    return 1;
  }
}
