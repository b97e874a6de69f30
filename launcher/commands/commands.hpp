// SPDX-License-Identifier: Apache-2.0
// The commands of `cohort`: one file each (probe is in tune's, describe in help's), and one line each in main.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "launcher/commands/command_line.hpp"

namespace cohort {

// Performs a command after the line is parsed; returns the exit status.
using Action = std::function<int()>;

// Each adds its command to `app` and sets `action` when it is given.
// `behind_dashes`: the words from "--" to the end of the line, which the caller does not parse; may be empty.
void add_run_command(CliCommand app, Action& action, std::vector<std::string> behind_dashes);
void add_agent_command(CliCommand app, Action& action);
void add_algorithms_command(CliCommand app, Action& action);
void add_verify_command(CliCommand app, Action& action);
void add_model_command(CliCommand app, Action& action);
void add_bench_command(CliCommand app, Action& action);
void add_doctor_command(CliCommand app, Action& action);
void add_status_command(CliCommand app, Action& action);
void add_inject_command(CliCommand app, Action& action);
void add_tune_command(CliCommand app, Action& action);
void add_probe_command(CliCommand app, Action& action);
void add_draw_command(CliCommand app, Action& action);

// Both tell of the commands of `line`, which must outlive the action.
void add_help_command(CliCommand app, Action& action, const CommandLine& line);
void add_describe_command(CliCommand app, Action& action, const CommandLine& line);

}  // namespace cohort
