// The properties that every algorithm in the registry has, whatever it is.
#include <gtest/gtest.h>

#include <functional>

#include "collectives/barrier_mode.hpp"
#include "collectives/verifier.hpp"
#include "tests/collectives/cases.hpp"

namespace cohort {
namespace {

using tests::for_each_case;
using tests::highest_ranks;

constexpr Delivery every_delivery[] = {Delivery::rendezvous, Delivery::buffered, Delivery::by_data};

class EveryAlgorithm : public testing::TestWithParam<Algorithm> {
 protected:
  // A seed that follows from the case, so that a failure repeats.
  std::uint64_t next_seed() { return std::hash<std::string_view>()(GetParam().name) + ++seeds_; }

  void TearDown() override {
    const std::string name(GetParam().name);
    std::printf("%s: %zu cases, %d to %d ranks\n", name.c_str(), cases_, lowest_, highest_);
    total_ += cases_;
  }

  static void TearDownTestSuite() { std::printf("%zu algorithms, %zu cases in all\n", registry().size(), total_); }

  std::size_t cases_ = 0;
  std::size_t seeds_ = 0;
  Rank lowest_ = 1;
  Rank highest_ = 40;
  Verifier verifier_;
  static inline std::size_t total_ = 0;
};

TEST_P(EveryAlgorithm, IsRight) {
  const Algorithm& algorithm = GetParam();
  highest_ = highest_ranks(40);
  for (Rank p = 1; p <= highest_; ++p) {
    for_each_case(algorithm, p, [&](std::span<const Problem> ranks) {
      ++cases_;
      EXPECT_EQ(obstacle(algorithm, ranks.front()), std::nullopt);
      const auto failure = verifier_.check(algorithm.name, algorithm.schedule, ranks, every_delivery, next_seed());
      EXPECT_EQ(failure, std::nullopt);
      return !HasFailure();
    });
  }
}

TEST_P(EveryAlgorithm, IsABarrierInBarrierMode) {
  const Algorithm& algorithm = GetParam();
  const ScheduleOf schedule = [&](const Problem& problem, Rank me) { return in_barrier_mode(algorithm, problem, me); };
  lowest_ = 2;
  highest_ = highest_ranks(9);
  for (Rank p = lowest_; p <= highest_; ++p) {
    for_each_case(algorithm, p, [&](std::span<const Problem> ranks) {
      ++cases_;
      const auto wrong = verifier_.check(algorithm.name, schedule, ranks, every_delivery, next_seed());
      EXPECT_EQ(wrong, std::nullopt);
      for (Rank held_back = 0; held_back < p; ++held_back) {
        const auto leaves = verifier_.check_barrier(algorithm.name, schedule, ranks, held_back, next_seed());
        EXPECT_EQ(leaves, std::nullopt);
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
