// SPDX-License-Identifier: Apache-2.0
// cohort bench: times operations in a job of its own.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "bench/operations.hpp"
#include "collectives/nearest_name.hpp"
#include "launcher/algorithm_names.hpp"
#include "launcher/commands/commands.hpp"
#include "launcher/commands/launch_options.hpp"
#include "launcher/commands/quantities.hpp"
#include "launcher/host/cores.hpp"
#include "launcher/host/program.hpp"
#include "launcher/job/job_plan.hpp"
#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

constexpr Count element_bytes = 4;
constexpr Count most_repetitions = 1000;
constexpr Count most_calls = 1'000'000;

struct BenchOptions {
  LaunchOptions launch;
  std::vector<std::string> operations;
  std::string least = "8", most = "1MiB";
  std::string seconds = "1", repetitions = "5", warm_up = "2", calls = "0", pause = "0";
  std::vector<std::string> algorithms;
  bool span = false;
  bool together = false;
  bool json = false;
  bool both_modes = false;
};

// The algorithms to measure an operation with, in the program's form: each as "@NAME", without blanks.
std::string algorithms_for(const bench::Operation& operation, const std::vector<std::string>& given) {
  const std::string collective(operation.collective);
  std::string words;
  const auto add = [&](std::string_view name) { words.append("@").append(name); };
  for (const std::string& name : given) {
    if (collective.empty()) throw UsageError(fmt::format("--algorithm: {} has none", operation.name));
    if (name == "all") {
      add(bench::chosen);
      for (const Algorithm* algorithm : parse_algorithms(collective)) add(algorithm->name);
    } else {
      add(name == bench::chosen ? name : parse_choice_for(collective, name).name);
    }
  }
  return words;
}

UsageError no_operation(const std::string& name) {
  std::vector<std::string> names;
  for (const bench::Operation& operation : bench::operations) names.emplace_back(operation.name);
  return UsageError(fmt::format("bench: there is no operation '{}'{}; there are: {}", name, did_you_mean(name, names),
                                fmt::join(names, ", ")));
}

const bench::Operation& parse_measured(const std::string& name, int ranks) {
  const bench::Operation* operation = bench::find_operation(name);
  if (operation == nullptr) throw no_operation(name);
  if (operation->collective.empty() && ranks < 2) throw UsageError("bench: " + name + " needs two processes");
  return *operation;
}

int run_benchmark(const BenchOptions& options) {
  const Count least = parse_bytes("--min", options.least, element_bytes), most = parse_bytes("--max", options.most);
  if (most < least) throw UsageError("--max: no less than --min");
  std::vector<std::string> words{
      fmt::format("--min={}", least),
      fmt::format("--max={}", most),
      fmt::format("--seconds={}", parse_time("--seconds", options.seconds)),
      fmt::format("--repetitions={}", parse_whole("--repetitions", options.repetitions, 1, most_repetitions)),
      fmt::format("--warm-up={}", parse_whole("--warm-up", options.warm_up, 0, most_calls)),
      fmt::format("--calls={}", parse_whole("--calls", options.calls, 0, most_calls)),
      fmt::format("--pause={}", parse_time("--pause", options.pause))};
  if (options.span) words.emplace_back("--span");
  if (options.together) words.emplace_back("--together");
  if (options.json) words.emplace_back("--json");
  const bool on_terminal = ::isatty(STDOUT_FILENO) == 1;
  if (on_terminal && !options.json) words.emplace_back("--table");
  if (std::ranges::find(options.algorithms, "all") != options.algorithms.end()) words.emplace_back("--every-algorithm");
  // A table shows it itself. JSON on a terminal stays alone.
  if (on_terminal ? !options.json : ::isatty(STDERR_FILENO) == 1) words.emplace_back("--progress");
  for (const std::string& name : options.operations) {
    words.push_back(name + algorithms_for(parse_measured(name, options.launch.processes()), options.algorithms));
  }
  const std::string program = std::filesystem::path(own_path()).parent_path().parent_path() / "lib/cohort/cohort_bench";
  JobPlan plan = options.launch.plan(program, words);
  const bool is_here = options.launch.hosts.empty() && options.launch.hostfile.empty();
  if (options.together && is_here && plan.ranks > usable_cores()) {
    throw UsageError(
        fmt::format("--together: {} processes need a core each, and may use {}", plan.ranks, usable_cores()));
  }
  if (!options.both_modes) return run_job(plan);
  plan.settings.set_barrier(true);
  if (const int status = run_job(plan); status != 0) return status;
  plan.settings.set_barrier(false);
  return run_job(plan);
}

std::string bench_footer() {
  std::string text = R"(
Prints a table on a terminal. Elsewhere it prints a line for each operation and size, with tabs between the columns. The
first line begins with # and names them:
  cohort  operation  processes  bytes  repetitions  minimum  median  algorithm  mode
The times are microseconds. A repetition is a barrier, a reading of the clock, the call (20 calls up to 1 KiB: see
--calls), and another reading. It takes as long as its slowest process. Bytes are those of the whole vector, of which an operation on
blocks gives each process its share. Elements are floats, operators are sums, the root is rank 0. Sizes are --min and
four times it, as often as --max allows. To compare with MPI, whose collectives imply no barrier, take --no-barrier.

What can be measured: the collective operations and, as messages between pairs or with other operators:
)";
  for (const bench::Operation& operation : bench::operations) {
    if (!operation.meaning.empty()) text += fmt::format("  {:24}{}\n", operation.name, operation.meaning);
  }
  return text + R"(
Examples:
  cohort bench -n 4 --no-barrier bcast,combine --max 16MiB
  cohort bench -n 16 --hostfile hosts --seconds 5 --json pingpong bandwidth message_rate)";
}

}  // namespace

void add_bench_command(CliCommand app, Action& action) {
  const auto options = std::make_shared<BenchOptions>();
  const CliCommand command = app.add_subcommand("bench", "Time operations, here or on many hosts");
  command.add_option("OPERATION", options->operations, "What to measure")
      .type_name("OP[,OP]")
      .delimiter(',')
      .required();
  command.usage("cohort bench -n P [OPTIONS] OP[,OP] ...");
  const auto add = [&](const char* name, std::string& value, const char* what, const char* type) {
    command.add_option(name, value, what).type_name(type).capture_default_str();
  };
  add("--min", options->least, "The smallest vector", "BYTES");
  add("--max", options->most, "The largest", "BYTES");
  add("--seconds", options->seconds, "How long to repeat a measurement, at most 1,000 times", "S");
  add("--repetitions", options->repetitions, "How often to repeat it at least", "N");
  add("--warm-up", options->warm_up, "Calls before the first repetition", "N");
  add("--calls", options->calls, "Calls in a row that a repetition times; 0: 20 up to 1 KiB, else 1", "N");
  add("--pause", options->pause, "Before each repetition: links with token buckets fill them", "S");
  const Option span = command.add_flag("--span", options->span,
                                       "Time from the first process's start to the last one's end; one machine only");
  command
      .add_flag("--together", options->together,
                "Like --span, but all start at an agreed time; needs a core for each process")
      .excludes(span);
  command.add_option("--algorithm", options->algorithms, "One, with its parameters; may come several times")
      .type_name("NAME|all|chosen")
      .one_value()
      .take_all();
  command.add_flag("--both-modes", options->both_modes, "With barriers, and then without, in a job each");
  command.add_flag("--json", options->json, "As JSON: one object");
  options->launch.add_to(command);
  command.footer(bench_footer());
  command.callback([options, &action] { action = [options] { return run_benchmark(*options); }; });
}

}  // namespace cohort
