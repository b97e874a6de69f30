// SPDX-License-Identifier: Apache-2.0
// The time to make one rank's schedule: all of its rounds, which a call pays during its time, or only the first, for
// which it waits. Every algorithm of the registry at 16, 1,024 and 100,000 ranks, or the power of two below.
#include <benchmark/benchmark.h>

#include <bit>
#include <string>

#include "bench/micro/problems.hpp"

namespace {

using namespace cohort;
using benchmark::State;

constexpr Count elements = 1 << 20;

void first_round(State& state, const Algorithm& algorithm, const Problem& problem) {
  for (auto _ : state) {
    const Schedule schedule = algorithm.schedule(problem, problem.ranks / 3);
    Round round;
    if (schedule.rounds() == 0) continue;
    const Round* described = &schedule.round(0, round);
    benchmark::DoNotOptimize(described);
  }
}

void all_rounds(State& state, const Algorithm& algorithm, const Problem& problem) {
  std::size_t rounds = 0;
  for (auto _ : state) {
    const Schedule schedule = algorithm.schedule(problem, problem.ranks / 3);
    rounds = schedule.rounds();
    Round round;
    for (std::size_t i = 0; i < rounds; ++i) {
      round.clear();
      const Round* described = &schedule.round(i, round);
      benchmark::DoNotOptimize(described);
    }
  }
  state.counters["rounds"] = static_cast<double>(rounds);
}

void add(const Algorithm& algorithm, Rank ranks) {
  Problem problem = usual_problem(algorithm.operation, ranks, elements);
  if (algorithm.needs.power_of_two) problem.ranks = static_cast<Rank>(std::bit_floor(static_cast<unsigned>(ranks)));
  problem = usual_problem(algorithm.operation, problem.ranks, elements);
  if (obstacle(algorithm, problem)) return;
  const std::string name = std::string(algorithm.name) + "/" + std::to_string(problem.ranks);
  const bool quick = ranks <= 1'024;
  if (!quick && algorithm.traits.slow_to_make) return;
  benchmark::RegisterBenchmark(("first_round/" + name).c_str(), first_round, algorithm, problem);
  if (quick) benchmark::RegisterBenchmark(("all_rounds/" + name).c_str(), all_rounds, algorithm, problem);
}

}  // namespace

int main(int argc, char** argv) {
  for (const Algorithm& algorithm : registry()) {
    for (const Rank ranks : {16, 1'024, 100'000}) add(algorithm, ranks);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
