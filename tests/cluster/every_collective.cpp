// SPDX-License-Identifier: Apache-2.0
// Every collective check, as a program of a real job: cohort run -n P every_collective. Exit status 1 on the ranks that
// saw a failure.
#include "tests/support/collective_checks.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace cohort::testing {
namespace {

const Group* job = nullptr;

class EveryCollective : public ::testing::TestWithParam<CollectiveCheck> {};

TEST_P(EveryCollective, IsRight) { GetParam().run(*job); }

INSTANTIATE_TEST_SUITE_P(InThisJob, EveryCollective,
                         ::testing::ValuesIn(collective_checks().begin(), collective_checks().end()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace cohort::testing

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  GTEST_FLAG_SET(brief, true);
  GTEST_FLAG_SET(throw_on_failure, true);  // a rank that went on alone would only confuse the others
  cohort::Process self = cohort::join();
  const cohort::Group all = self.all();
  cohort::testing::job = &all;
  const int status = RUN_ALL_TESTS();
  const int failed = all.combine(status != 0 ? 1 : 0, cohort::sum);
  if (all.rank() == 0) std::printf("every collective on %d ranks: %d with failures\n", all.size(), failed);
  return failed == 0 ? 0 : 1;
}
