// SPDX-License-Identifier: Apache-2.0
#include "collectives/model_time.hpp"

#include <algorithm>
#include <array>
#include <ctime>
#include <set>

#include "collectives/barrier_mode.hpp"
#include "collectives/simulator/by_data.hpp"
#include "collectives/simulator/lockstep.hpp"

namespace cohort {

std::string_view name_of(ModelTime::Source source) {
  static constexpr std::array<std::string_view, 5> names = {"simulated", "by rounds", "closed form", "at most",
                                                            "unknown"};
  return names.at(static_cast<std::size_t>(source));
}

namespace {

// Seconds to make one rank's schedule: the mean over ranks spread over all, as many as can be made in a short time.
double measured_schedule_seconds(const Algorithm& algorithm, const Problem& problem) {
  static constexpr double enough_seconds = 0.05;
  static constexpr Rank enough_ranks = 2000;
  const Rank stride = std::max<Rank>(problem.ranks / enough_ranks, 1);
  const std::clock_t start = std::clock();  // of this process only
  double elapsed = 0;
  int made = 0;
  for (Rank me = 0; me < problem.ranks && elapsed < enough_seconds; me += stride) {
    const Schedule schedule = algorithm.schedule(problem, me);
    ++made;
    elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  }
  return elapsed / made;
}

struct Work {
  double steps = 0;      // of all ranks
  std::size_t runs = 0;  // how often each schedule is made
};

// Estimated from a few ranks.
Work work_of(const Algorithm& algorithm, const Problem& problem) {
  const Rank p = problem.ranks;
  const std::set<Rank> samples{0, problem.root, std::min<Rank>(problem.root + 1, p - 1), p / 3, p / 2, p - 1};
  double steps = 0;
  std::size_t rounds = 0;
  Round storage;
  for (const Rank me : samples) {
    const Schedule schedule = algorithm.schedule(problem, me);
    rounds = std::max(rounds, schedule.rounds());
    steps += static_cast<double>(schedule.rounds());
    for (std::size_t i = 0; i < schedule.rounds(); ++i) {
      const Round& round = schedule.round(i, storage);
      for (const auto* messages : {&round.sends(), &round.receives()}) {
        for (const Message& message : *messages) steps += static_cast<double>(message.segments.size());
      }
      steps += static_cast<double>(round.steps().size());
    }
  }
  return {steps / static_cast<double>(samples.size()) * p, simulator::runs(p, rounds)};
}

}  // namespace

ModelTime model_time(const Algorithm& algorithm, const Problem& problem, Ports ports, const ModelLimits& limits,
                     const SimulationOptions& options) {
  static constexpr double simplex_effort = 5;  // times that of duplex
  ModelTime time;
  time.schedule_seconds = measured_schedule_seconds(algorithm, problem);
  const double making = time.schedule_seconds * problem.ranks;
  const Work work = making <= limits.making_seconds ? work_of(algorithm, problem) : Work{};
  const double effort = work.steps * (ports == Ports::simplex ? simplex_effort : 1);
  if (work.runs > 0 && making * static_cast<double>(work.runs) <= limits.making_seconds && effort <= limits.steps) {
    const Simulation simulation = simulate(algorithm, problem, ports, {}, options);
    const bool by_data = ports == Ports::duplex && static_cast<double>(simulation.cost.messages) <= limits.messages;
    time.source = by_data || ports == Ports::simplex ? ModelTime::Source::simulation : ModelTime::Source::rounds;
    time.cost = simulation.cost;
    const double seconds =
        by_data ? seconds_played_by_data([&](Rank me) { return algorithm.schedule(problem, me); }, problem)
                : simulation.seconds;
    time.seconds = std::max(seconds, shared_seconds(simulation.cost, problem));
  } else {
    time.cost = cost_on_hosts(algorithm, problem);
    if (ports == Ports::simplex) return time;
    const bool is_exact = in_lockstep(algorithm) && problem.network.burst == 0;
    time.source = is_exact ? ModelTime::Source::closed_form : ModelTime::Source::bound;
    time.seconds = seconds(time.cost, problem);
  }
  const SignalsPrice signals = price_of_signals(problem);
  time.cost = time.cost + signals.cost;
  *time.seconds += signals.seconds;
  return time;
}

}  // namespace cohort
