// What the choice of an algorithm costs: where no earlier call was like this one, and where one was.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/micro/problems.hpp"
#include "collectives/selector/choices.hpp"

namespace {

using namespace cohort;

void choose_algorithm(benchmark::State& state, Operation operation) {
  const Problem problem = usual_problem(operation, static_cast<Rank>(state.range(0)), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(choose(problem));
}

void choose_again(benchmark::State& state, Operation operation) {
  const Problem problem = usual_problem(operation, static_cast<Rank>(state.range(0)), state.range(1));
  Choices choices;
  for (auto _ : state) benchmark::DoNotOptimize(choices.choose(problem));
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 0; i <= static_cast<int>(Operation::sync); ++i) {
    const auto operation = static_cast<Operation>(i);
    benchmark::RegisterBenchmark(("choose/" + std::string(name_of(operation))).c_str(), choose_algorithm, operation)
        ->ArgsProduct({{16, 1'024, 100'000}, {2, 1 << 20}});
    benchmark::RegisterBenchmark(("choose_again/" + std::string(name_of(operation))).c_str(), choose_again, operation)
        ->ArgsProduct({{16, 1'024}, {2, 1 << 20}});
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
