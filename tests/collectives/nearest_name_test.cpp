// SPDX-License-Identifier: Apache-2.0
#include "collectives/nearest_name.hpp"

#include <gtest/gtest.h>

namespace cohort {
namespace {

const std::vector<std::string> operation_names = {"bcast",  "reduce",         "combine", "scatter",
                                                  "gather", "reduce_scatter", "sync"};

TEST(NearestName, OfOneMistake) {
  for (const char* mistyped : {"bcst", "bcasts", "bcasr", "bacst"}) {
    EXPECT_EQ(did_you_mean(mistyped, operation_names), " (did you mean 'bcast'?)") << mistyped;
  }
}

TEST(NearestName, TheNearestOfSeveral) {
  EXPECT_EQ(did_you_mean("scather", operation_names), " (did you mean 'scatter'?)");
  EXPECT_EQ(did_you_mean("reduce_scater", operation_names), " (did you mean 'reduce_scatter'?)");
}

TEST(NearestName, AnotherWordIsNoMistake) {
  for (const char* other : {"", "x", "allreduce", "broadcast", "alltoall", "snyk"}) {
    EXPECT_EQ(did_you_mean(other, operation_names), "") << other;
  }
  EXPECT_EQ(did_you_mean(std::string(1000, 'b'), operation_names), "");
  EXPECT_EQ(did_you_mean("bcast", {}), "");
}

TEST(NearestName, ASharedFolderIsNoSign) {
  const std::vector<std::string> names = {"combine/ring", "combine/census"};
  EXPECT_EQ(did_you_mean("combine/nothing", names), "");
  EXPECT_EQ(did_you_mean("combine/rings", names), " (did you mean 'combine/ring'?)");
}

TEST(NearestName, ShortNamesNeedALetterThatIsRight) {
  EXPECT_EQ(did_you_mean("-m", {"-n", "-x"}), " (did you mean '-n'?)");
  EXPECT_EQ(did_you_mean("m", {"n", "x"}), "");
}

}  // namespace
}  // namespace cohort
