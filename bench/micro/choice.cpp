// What the choice of an algorithm costs a call that no earlier one was like.
#include <benchmark/benchmark.h>

#include <string>

#include "bench/micro/problems.hpp"

namespace {

using namespace cohort;

void choose_algorithm(benchmark::State& state, Operation operation) {
  const Problem problem = usual_problem(operation, static_cast<Rank>(state.range(0)), state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(choose(problem));
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 0; i <= static_cast<int>(Operation::sync); ++i) {
    const auto operation = static_cast<Operation>(i);
    benchmark::RegisterBenchmark(("choose/" + std::string(name_of(operation))).c_str(), choose_algorithm, operation)
        ->ArgsProduct({{16, 1'024, 100'000}, {2, 1 << 20}});
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
