// SPDX-License-Identifier: Apache-2.0
#include "launcher/network/verdict.hpp"

#include <gtest/gtest.h>

namespace cohort {
namespace {

CheckedTime within(const char* what, double ratio) { return {"within_host", what, ratio}; }
CheckedTime between(const char* what, double ratio) { return {"between_hosts", what, ratio}; }

TEST(Verdict, RatiosThatAreAlikeAreBelieved) {
  const Verdict verdict = verdict_on({within("combine of 8 B", 0.5), within("bcast of 1 MiB", 0.6)});
  EXPECT_TRUE(verdict.believable);
  EXPECT_EQ(verdict.words.find("Within a host: believe it. Most measured times are 0.50 to 0.60 of"), 0U)
      << verdict.words;
}

TEST(Verdict, RatiosThatDifferNameTheirCalls) {
  const Verdict verdict = verdict_on({between("combine of 8 B", 0.1), between("bcast of 1 MiB", 1.5)});
  EXPECT_FALSE(verdict.believable);
  EXPECT_NE(
      verdict.words.find("Between hosts: measure again. combine of 8 B takes 0.10 of the predicted time, but bcast of "
                         "1 MiB 1.50"),
      std::string::npos)
      << verdict.words;
}

TEST(Verdict, ATenthOnEachSideMayBeLuck) {
  std::vector<CheckedTime> checks(18, within("a", 1));
  checks.push_back(within("b", 0.01));
  EXPECT_TRUE(verdict_on(checks).believable);
  checks.push_back(within("c", 0.01));
  EXPECT_TRUE(verdict_on(checks).believable);  // two of twenty
  checks.push_back(within("d", 0.01));
  EXPECT_FALSE(verdict_on(checks).believable);
}

TEST(Verdict, EachPlaceHasItsOwn) {
  const Verdict verdict = verdict_on({between("a", 10), between("b", 11), within("c", 1), within("d", 1.1)});
  EXPECT_TRUE(verdict.believable) << verdict.words;  // ten times between the places does no harm
  EXPECT_FALSE(verdict_on({between("a", 1), within("c", 1), within("d", 9)}).believable);
  EXPECT_FALSE(verdict_on({between("a", 1), between("b", 0)}).believable);
  EXPECT_TRUE(verdict_on({}).words.empty());
}

}  // namespace
}  // namespace cohort
