// SPDX-License-Identifier: Apache-2.0
// The properties of every algorithm in the registry.
#include <gtest/gtest.h>

#include <cstdio>
#include <ostream>
#include <string>

#include "collectives/verifier/properties.hpp"
#include "tests/collectives/highest_ranks.hpp"

namespace cohort {

void PrintTo(const Algorithm& algorithm, std::ostream* out) { *out << algorithm.name; }

namespace {

using tests::highest_ranks;
using verifier::usual_cases;

class EveryAlgorithm : public testing::TestWithParam<Algorithm> {
 protected:
  // Up to so many ranks.
  template <class Property>
  void expect_up_to(Rank highest, const Property& property) {
    verifier::Properties properties(GetParam());
    for (Rank p = 1; p <= highest && !HasFailure(); ++p) {
      if (const std::optional<std::string> counterexample = property(properties, p)) ADD_FAILURE() << *counterexample;
    }
    const std::string name(GetParam().name);
    std::printf("%s: up to %d ranks, %zu cases\n", name.c_str(), highest, properties.cases());
    ++tests_;
    all_cases_ += properties.cases();
  }

  static void TearDownTestSuite() { std::printf("%zu properties of algorithms, %zu cases\n", tests_, all_cases_); }

  static inline std::size_t tests_ = 0;
  static inline std::size_t all_cases_ = 0;
};

TEST_P(EveryAlgorithm, IsRight) {
  expect_up_to(highest_ranks(64),
               [](auto& properties, Rank p) { return properties.result(p, usual_cases(GetParam(), p)); });
}

TEST_P(EveryAlgorithm, IsABarrierInBarrierMode) {
  expect_up_to(highest_ranks(9),
               [](auto& properties, Rank p) { return properties.barrier(p, usual_cases(GetParam(), p)); });
}

TEST_P(EveryAlgorithm, HasTheRoundsOfTheModel) {
  expect_up_to(highest_ranks(20), [](auto& properties, Rank p) { return properties.rounds(p, 200); });
}

TEST_P(EveryAlgorithm, CostsWhatItClaims) {
  const auto property = [](auto& properties, Rank p) { return properties.cost(p, verifier::Properties::usual_effort); };
  expect_up_to(highest_ranks(200), property);
  verifier::Properties properties(GetParam());
  for (const Rank p : {256, 360, 487, 1000, 1024, 1155, 2047, 3072, 4096}) {
    if (highest_ranks(200) < 200 || HasFailure()) return;
    EXPECT_EQ(property(properties, p).value_or(""), "");
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
