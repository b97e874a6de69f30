// The properties that every algorithm in the registry has, whatever it is.
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "collectives/barrier_mode.hpp"
#include "collectives/verifier.hpp"
#include "collectives/verifier/cases.hpp"
#include "tests/collectives/highest_ranks.hpp"

namespace cohort {

void PrintTo(const Algorithm& algorithm, std::ostream* out) { *out << algorithm.name; }

namespace {

using tests::highest_ranks;
using verifier::for_each_case;

constexpr Delivery every_delivery[] = {Delivery::rendezvous, Delivery::buffered, Delivery::by_data};

class EveryAlgorithm : public testing::TestWithParam<Algorithm> {
 protected:
  // A seed that follows from the case, so that a failure repeats.
  std::uint64_t next_seed() { return std::hash<std::string_view>()(GetParam().name) + ++seeds_; }

  void count(const Problem& problem) {
    ++cases_;
    if (problem.ranks != ranks_ || problem.root != root_) ++roots_;
    ranks_ = problem.ranks;
    root_ = problem.root;
  }

  void expect_none(const std::optional<std::string>& counterexample) {
    if (counterexample) ADD_FAILURE() << *counterexample;
  }

  void TearDown() override {
    const std::string name(GetParam().name);
    std::printf("%s: up to %d ranks, %zu (ranks, root), %zu cases with their sizes and variants\n", name.c_str(),
                ranks_, roots_, cases_);
    ++tests_;
    all_cases_ += cases_;
  }

  static void TearDownTestSuite() {
    std::printf("%zu properties of algorithms, %zu cases, each under three delivery rules\n", tests_, all_cases_);
  }

  Verifier verifier_;
  std::size_t seeds_ = 0;
  std::size_t cases_ = 0;
  std::size_t roots_ = 0;
  Rank ranks_ = 0;
  Rank root_ = 0;
  static inline std::size_t tests_ = 0;
  static inline std::size_t all_cases_ = 0;
};

TEST_P(EveryAlgorithm, IsRight) {
  const Algorithm& algorithm = GetParam();
  for (Rank p = 1; p <= highest_ranks(40); ++p) {
    // Every root with every mesh, parameter and size is too much for many ranks: then each root gets a share of them.
    const int one_in = algorithm.uses_mesh && has_root(algorithm.operation) && p > 16 ? p : 1;
    for_each_case(algorithm, p, one_in, [&](std::span<const Problem> ranks) {
      count(ranks.front());
      expect_none(obstacle(algorithm, ranks.front()));
      expect_none(verifier_.check(algorithm.name, algorithm.schedule, ranks, every_delivery, next_seed()));
      return !HasFailure();
    });
  }
}

TEST_P(EveryAlgorithm, IsABarrierInBarrierMode) {
  const Algorithm& algorithm = GetParam();
  const ScheduleOf schedule = [&](const Problem& problem, Rank me) { return in_barrier_mode(algorithm, problem, me); };
  for (Rank p = 1; p <= highest_ranks(9); ++p) {
    for_each_case(algorithm, p, 1, [&](std::span<const Problem> ranks) {
      count(ranks.front());
      expect_none(verifier_.check(algorithm.name, schedule, ranks, every_delivery, next_seed()));
      for (Rank held_back = 0; p > 1 && held_back < p; ++held_back) {
        expect_none(verifier_.check_barrier(algorithm.name, schedule, ranks, held_back, next_seed()));
      }
      return !HasFailure();
    });
  }
}

// In a test's name "/" would be a separator.
std::string name_of_test(const testing::TestParamInfo<Algorithm>& info) {
  std::string name(info.param.name);
  for (char& letter : name) {
    if (letter == '/') letter = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Registry, EveryAlgorithm, testing::ValuesIn(registry().begin(), registry().end()),
                         name_of_test);

}  // namespace
}  // namespace cohort
