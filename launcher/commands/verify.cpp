// SPDX-License-Identifier: Apache-2.0
// cohort verify: verifies the algorithms of the registry.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "launcher/algorithm_names.hpp"
#include "launcher/clock.hpp"
#include "launcher/commands/commands.hpp"
#include "launcher/commands/progress.hpp"
#include "launcher/commands/quantities.hpp"
#include "launcher/commands/terminal.hpp"
#include "launcher/commands/verification.hpp"
#include "launcher/write_file.hpp"

namespace cohort {

namespace {

constexpr Rank most_verified_ranks = 1000;

struct VerifyOptions {
  std::vector<std::string> names;
  std::string ranks = "1-64";
  bool json = false;
};

std::vector<const Algorithm*> wanted(const VerifyOptions& options) {
  std::vector<const Algorithm*> algorithms;
  for (const std::string& name : options.names) {
    for (const Algorithm* algorithm : parse_algorithms(name)) {
      if (std::ranges::find(algorithms, algorithm) == algorithms.end()) algorithms.push_back(algorithm);
    }
  }
  if (options.names.empty()) {
    for (const Algorithm& algorithm : registry()) algorithms.push_back(&algorithm);
  }
  return algorithms;
}

std::string line_of(const Verification& verification, std::size_t name_width, const Terminal& terminal) {
  const std::string result = verification.counterexample ? terminal.bad("WRONG")
                             : verification.cases == 0   ? "no case"
                                                         : "ok";
  std::string line = fmt::format("{:<{}}  {:>7} cases  {:>6.1f} s  {}\n", verification.algorithm->name, name_width,
                                 verification.cases, verification.seconds, result);
  if (verification.counterexample) line += fmt::format("  {}\n", *verification.counterexample);
  return line;
}

nlohmann::ordered_json json_of(const Verification& verification) {
  nlohmann::ordered_json json = {{"name", verification.algorithm->name},
                                 {"cases", verification.cases},
                                 {"seconds", verification.seconds},
                                 {"ok", !verification.counterexample}};
  if (verification.counterexample) json["counterexample"] = *verification.counterexample;
  return json;
}

int verify_all(const VerifyOptions& options) {
  const std::vector<const Algorithm*> algorithms = wanted(options);
  VerificationTask task;
  task.algorithms = algorithms;
  const std::size_t dash = options.ranks.find('-');
  task.lowest = static_cast<Rank>(parse_whole("--ranks", options.ranks.substr(0, dash), 1, most_verified_ranks));
  task.highest =
      dash == std::string::npos
          ? task.lowest
          : static_cast<Rank>(parse_whole("--ranks", options.ranks.substr(dash + 1), task.lowest, most_verified_ranks));
  task.threads = std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);

  std::size_t name_width = 0;
  for (const Algorithm* algorithm : algorithms) name_width = std::max(name_width, algorithm->name.size());
  const auto start = Clock::now();
  const Terminal terminal(STDOUT_FILENO);
  Progress progress;
  std::size_t cases = 0;
  std::size_t done = 0;
  auto list = nlohmann::ordered_json::array();
  const auto on_verified = [&](const Verification& verification) {
    cases += verification.cases;
    ++done;
    progress.wipe();
    options.json ? list.push_back(json_of(verification))
                 : write_file("verify", "-", line_of(verification, name_width, terminal));
  };
  const auto on_progress = [&](const Algorithm& algorithm, Rank ranks) {
    progress.show(fmt::format("{} of {} verified; {}, {} ranks", done, algorithms.size(), algorithm.name, ranks));
  };
  const bool right = verify(task, on_verified, on_progress);
  const double seconds = seconds_since(start);
  const nlohmann::ordered_json json = {{"ok", right},    {"lowest_ranks", task.lowest}, {"highest_ranks", task.highest},
                                       {"cases", cases}, {"seconds", seconds},          {"algorithms", list}};
  write_file("verify", "-",
             options.json ? json.dump(2) + "\n"
                          : fmt::format("{} algorithms, {} to {} ranks, {} cases in {:.1f} s: {}\n", algorithms.size(),
                                        task.lowest, task.highest, cases, seconds,
                                        right ? terminal.good("all right") : terminal.bad("WRONG")));
  return right ? 0 : 1;
}

constexpr const char* verify_footer = R"(
Plays the schedules of all ranks on symbolic memory: every operand is a letter, and the operator joins words. So a swap, a
double count, a lost message or a deadlock shows. NAME is an algorithm (bcast/circulant) or an operation (bcast).

A case is a number of ranks with a root, sizes, an operator that commutes or not, parameters and a mesh, in place or not.
Sizes are 0, 1, p - 1, p, p + 1 and many, and uneven ones with zeros. Up to 12 ranks all combinations are played, beyond
that every root with some. Each case is played twice. First round by round, with sends that wait for their receives: that
proves that no buffers are needed. Then by the data in a random order, as the runtime plays. Then
  barrier    up to 9 ranks: in barrier mode nobody completes before all have started
  rounds     what is sent in a round is received in it, one message a rank, unless the algorithm is multi-ported
  cost       the closed form of the cost (rounds, volume, total) is what the schedules cost

One line an algorithm: name, cases, time, and ok; or WRONG and the first counterexample. "no case": the algorithm can't
do with so many ranks. Exit status: 0; 1 if there is a counterexample; 2 for a mistake on this command line.

Examples:
  cohort verify                            everything, 1 to 64 ranks
  cohort verify bcast prefix/chain         an operation and an algorithm
  cohort verify reduce --ranks 100-110     larger)";

}  // namespace

void add_verify_command(CliCommand app, Action& action) {
  const auto options = std::make_shared<VerifyOptions>();
  const CliCommand command = app.add_subcommand("verify", "Prove that algorithms are right, and cost what they claim");
  command.add_option("NAME", options->names, "Algorithms or operations; none: all").type_name("");
  command.add_option("--ranks", options->ranks, "The numbers of ranks, or one number")
      .type_name("A-B")
      .capture_default_str();
  command.add_flag("--json", options->json, "As JSON: one object");
  command.footer(verify_footer);
  command.callback([options, &action] { action = [options] { return verify_all(*options); }; });
}

}  // namespace cohort
