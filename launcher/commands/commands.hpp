// The commands of `cohort`: one file each (that of probe is tune's), one line each in main.cpp.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace cohort {

// What a command does once the line is parsed; returns the exit status.
using Action = std::function<int()>;

// Each adds its command to `app` and sets `action` when it is given.
// `behind_dashes`: "--" and what follows it on the line, or nothing; the line is to be parsed up to there.
void add_run_command(CLI::App& app, Action& action, std::vector<std::string> behind_dashes);
void add_agent_command(CLI::App& app, Action& action);
void add_algorithms_command(CLI::App& app, Action& action);
void add_verify_command(CLI::App& app, Action& action);
void add_model_command(CLI::App& app, Action& action);
void add_bench_command(CLI::App& app, Action& action);
void add_status_command(CLI::App& app, Action& action);
void add_inject_command(CLI::App& app, Action& action);
void add_tune_command(CLI::App& app, Action& action);
void add_probe_command(CLI::App& app, Action& action);
void add_draw_command(CLI::App& app, Action& action);

}  // namespace cohort
