// SPDX-License-Identifier: Apache-2.0
// The time to choose an algorithm: without an earlier call of the same class, also on links with bursts, where prices
// are played; and with one.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/micro/problems.hpp"
#include "collectives/selector/choices.hpp"

namespace {

using namespace cohort;

void choose_algorithm(benchmark::State& state, Operation operation, double burst) {
  Problem problem = usual_problem(operation, static_cast<Rank>(state.range(0)), state.range(1));
  problem.network.burst = burst;
  for (auto _ : state) benchmark::DoNotOptimize(choose(problem));
}

void choose_again(benchmark::State& state, Operation operation) {
  const Problem problem = usual_problem(operation, static_cast<Rank>(state.range(0)), state.range(1));
  Choices choices;
  for (Count bytes = 1; bytes <= 1 << 20; bytes *= 2) {  // a program's earlier choices
    choices.choose(usual_problem(operation, problem.ranks, bytes));
  }
  for (auto _ : state) benchmark::DoNotOptimize(choices.choose(problem));
}

}  // namespace

int main(int argc, char** argv) {
  constexpr double no_burst = 0, burst_bytes = 12'000;  // as the lab's token buckets have
  for (int i = 0; i <= static_cast<int>(Operation::sync); ++i) {
    const auto operation = static_cast<Operation>(i);
    const std::string name(name_of(operation));
    benchmark::RegisterBenchmark(("choose/" + name).c_str(), choose_algorithm, operation, no_burst)
        ->ArgsProduct({{16, 1'024, 100'000}, {2, 1 << 20}});
    benchmark::RegisterBenchmark(("choose_with_bursts/" + name).c_str(), choose_algorithm, operation, burst_bytes)
        ->ArgsProduct({{16, 256}, {2, 1 << 20}});
    benchmark::RegisterBenchmark(("choose_again/" + name).c_str(), choose_again, operation)
        ->ArgsProduct({{16, 1'024}, {2, 1 << 20}});
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
