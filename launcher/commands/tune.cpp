// SPDX-License-Identifier: Apache-2.0
// cohort tune: measures the network with the processes of a job, fits the model, compares the model with a few
// collectives, and writes the tuning file.
#include <fmt/format.h>
#include <unistd.h>

#include <iostream>
#include <memory>

#include "collectives/pictures/units.hpp"
#include "launcher/clock.hpp"
#include "launcher/commands/commands.hpp"
#include "launcher/commands/launch_options.hpp"
#include "launcher/commands/model_table.hpp"
#include "launcher/commands/progress.hpp"
#include "launcher/commands/table.hpp"
#include "launcher/commands/terminal.hpp"
#include "launcher/host/program.hpp"
#include "launcher/network/fit.hpp"
#include "launcher/network/network_probe.hpp"
#include "launcher/network/tuning_file.hpp"
#include "launcher/network/verdict.hpp"
#include "launcher/usage_error.hpp"
#include "launcher/write_file.hpp"

namespace cohort {

namespace {

struct TuneOptions {
  LaunchOptions launch;
  std::string file;
};

using pictures::bytes_text;
using pictures::seconds_text;

// Runs this program itself as a job, and puts its output into `lines`. Returns the exit status.
int run_probe(const TuneOptions& options, const std::string& task, const GivenTuning& tuning, std::string& lines) {
  Progress progress;
  const std::string step = task == "measure" ? "measuring (1 of 2)" : "checking the model (2 of 2)";
  progress.show(step + " ...");
  JobPlan plan = options.launch.plan(own_path(), {"probe", task});
  plan.settings.set_barrier(false);  // the probe has its own barriers between the calls
  plan.tuning = tuning;
  plan.take_output = [&](const std::string& text) {
    lines += text;
    const Measurement latest = parse_measurements(text).back();
    progress.show(fmt::format("{}: {}, {} of {}", step, latest.place, latest.what,
                              bytes_text(static_cast<double>(latest.bytes))));
  };
  return run_job(std::move(plan));
}

std::vector<Measurement> of_place(const std::vector<Measurement>& all, const std::string& place) {
  std::vector<Measurement> some;
  std::ranges::copy_if(all, std::back_inserter(some), [&](const auto& one) { return one.place == place; });
  return some;
}

// The measurements, as comments for the tuning file.
std::string comments_on(const std::vector<Measurement>& measurements) {
  std::string text;
  for (const Measurement& measurement : measurements) {
    text += fmt::format("{:<8}{:>4} ranks {:>9}: {}\n", measurement.what, measurement.ranks,
                        bytes_text(static_cast<double>(measurement.bytes)), seconds_text(measurement.seconds));
  }
  return text;
}

// The model's prediction for the algorithm that the runtime used.
ModelRow predicted(const Measurement& measured, const Network& network, Progress& progress) {
  const Choice choice = parse_choice(measured.algorithm);
  ModelTask task;
  task.operation = choice.algorithm->operation;
  task.ranks = measured.ranks;
  task.element_bytes = sizeof(float);
  task.network = network;
  return model_rows(task, measured.bytes, {{measured.algorithm, choice}}, progress).front();
}

// The table of the checks, and what they say.
std::pair<std::string, Verdict> judge(const std::vector<Measurement>& checks, const GivenTuning& tuning) {
  std::vector<CheckedTime> times;
  Table table(
      {{"", false}, {"", false}, {"ranks"}, {"bytes"}, {"algorithm", false}, {"predicted"}, {"measured"}, {"ratio"}});
  Progress progress;
  for (const Measurement& check : checks) {
    const auto& network = check.place == "within_host" ? tuning.within_host : tuning.between_hosts;
    const ModelRow row = predicted(check, network.value_or(Network{}), progress);
    const double seconds = row.time.seconds.value_or(0);
    times.push_back(
        {check.place, check.what + " of " + bytes_text(static_cast<double>(check.bytes)), check.seconds / seconds});
    table.add({check.place, check.what, std::to_string(check.ranks), std::to_string(check.bytes), row.name,
               seconds_text(seconds), seconds_text(check.seconds), fmt::format("{:.2f}", check.seconds / seconds)});
  }
  return {table.text(), verdict_on(times)};
}

int tune(const TuneOptions& options) {
  if (options.launch.processes() < 2) throw UsageError("tune: a network has two ends: -n 2 or more");
  if (!options.launch.tuning.empty()) throw UsageError("tune: --tuning says what is to be measured: leave it out");
  const auto start = Clock::now();
  GivenTuning tuning;
  std::string lines;
  if (const int status = run_probe(options, "measure", {Network{}, Network{}, {}}, lines)) return status;
  const std::vector<Measurement> measurements = parse_measurements(lines);
  const auto within = of_place(measurements, "within_host"), between = of_place(measurements, "between_hosts");
  if (!within.empty()) tuning.within_host = fit_network(within);
  if (!between.empty()) tuning.between_hosts = fit_network(between);

  lines.clear();
  if (const int status = run_probe(options, "check", tuning, lines)) return status;
  const auto [table, verdict] = judge(parse_measurements(lines), tuning);
  const double seconds = seconds_since(start);
  const std::size_t hosts = options.launch.plan("", {}).hosts.size();
  const std::string head = fmt::format(
      "Measured by cohort tune in {:.0f} s: {} processes, {}. cohort run --tuning reads it.\n\n"
      "The model against collectives, as the runtime does them; ratio: measured by predicted:\n{}\n{}\n",
      seconds, options.launch.processes(), hosts == 1 ? "one host" : fmt::format("{} hosts", hosts), table,
      verdict.words);
  const std::string text = to_toml(tuning, {head, comments_on(within), comments_on(between)});
  write_file("tune", options.file, text);
  if (options.file != "-") {
    const Terminal terminal(STDOUT_FILENO);
    std::cout << to_toml(tuning).substr(1) << '\n'
              << table << "\nwritten to " << options.file << "\n\n"
              << (verdict.believable ? terminal.good(verdict.words) : terminal.doubtful(verdict.words)) << '\n'
              << std::flush;
  }
  return 0;
}

constexpr const char* tune_footer = R"(
Measures messages between hosts (one process of each) and within a host that has several. Fits the model's numbers to
these times, and compares what the model says with a few collectives. It takes less than a minute; nothing else should use the
hosts meanwhile. It ends with a verdict: whether the file is to be believed, or the network to be measured again, and why.

  cohort tune -n 4 -o here.toml                        this machine
  cohort tune -n 16 --hosts a:8,b:8 -o cluster.toml    two hosts: between them, and within the first
  cohort run -n 16 --hosts a:8,b:8 --tuning cluster.toml ./program)";

}  // namespace

void add_tune_command(CliCommand app, Action& action) {
  const auto options = std::make_shared<TuneOptions>();
  const CliCommand command =
      app.add_subcommand("tune", "Measure the network, and write what it costs into a tuning file");
  command.usage("cohort tune -n P [OPTIONS] -o FILE");
  command.add_option("-o,--output", options->file, "The tuning file; - is the standard output")
      .required()
      .type_name("FILE");
  options->launch.add_to(command);
  command.footer(tune_footer);
  command.callback([options, &action] { action = [options] { return tune(*options); }; });
}

void add_probe_command(CliCommand app, Action& action) {
  const auto task = std::make_shared<std::string>();
  const CliCommand command = app.add_subcommand("probe", "Started by cohort tune as a job");
  command.hide();
  command.add_option("task", *task).required().one_of({"measure", "check"});
  command.callback([task, &action] {
    action = [task] {
      Process self = join();
      *task == "measure" ? probe::measure(self, std::cout) : probe::check(self, std::cout);
      self.leave();
      return 0;
    };
  });
}

}  // namespace cohort
