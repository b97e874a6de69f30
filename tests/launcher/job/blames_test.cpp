// SPDX-License-Identifier: Apache-2.0
// Whose mistake the end of a process is.
#include "launcher/job/blames.hpp"

#include <gtest/gtest.h>

namespace cohort {
namespace {

constexpr Pid me = 1;

Blames heard(std::initializer_list<Blamed> words) {
  Blames blames(4);
  for (const Blamed& word : words) blames.heard(me, word);
  return blames;
}

std::optional<Pid> culprit(const Blames& blames) {
  const auto behind = blames.behind(me);
  return behind ? std::optional(behind->culprit) : std::nullopt;
}

TEST(Blames, Case89WhoSaysNothingIsTheCulpritItself) {
  const Blames blames = heard({});
  EXPECT_EQ(culprit(blames), std::nullopt);
  EXPECT_EQ(blames.words(me, "exited with status 3"), "exited with status 3");
}

TEST(Blames, Case89AnErrorThatHoldsAnothersMistakeFollowsFromIt) {
  const Blames blames = heard({{3, "it dropped x"}, {me, "sync: it dropped x (called at a.cpp:1)", Blamed::By::error}});
  EXPECT_EQ(culprit(blames), 3);
  EXPECT_EQ(blames.words(me, "ended"), "ended: nobody caught the error: sync: it dropped x (called at a.cpp:1)");
}

TEST(Blames, Case89AnotherErrorDoesNot) {
  EXPECT_EQ(culprit(heard({{3, "it dropped x"}, {me, "rank 99 is out of range", Blamed::By::error}})), std::nullopt);
}

TEST(Blames, Case89OfSeveralGroupsTheErrorSaysWhich) {
  EXPECT_EQ(culprit(heard({{3, "it dropped x"}, {2, "it dropped y"}, {me, "sync: it dropped y", Blamed::By::error}})),
            2);
}

TEST(Blames, Case89WhereNobodyKnowsItIsWhatWasFirst) {
  EXPECT_EQ(culprit(heard({{3, "it dropped x"}, {2, "it dropped y"}})), 3);
  EXPECT_EQ(culprit(heard({{3, "it dropped x"}, {me, "step 3 failed", Blamed::By::exception}})), 3);
}

TEST(Blames, Case89OnesOwnMistakeIsNoOthers) {
  const Blames blames = heard({{me, "it dropped x"}, {2, "it dropped y"}});
  EXPECT_EQ(culprit(blames), std::nullopt);
  EXPECT_EQ(blames.words(me, "exited with status 3"), "exited with status 3, after a mistake of its own: it dropped x");
}

TEST(Blames, Case89AnExceptionOfAnOperatorIsNamedWithIt) {
  const Blames blames =
      heard({{me, "the operator threw an exception: no such number"}, {me, "no such number", Blamed::By::exception}});
  EXPECT_EQ(blames.words(me, "was killed"), "was killed: the operator threw an exception: no such number");
}

TEST(Blames, Case89WordsAreOnOneLineAndHarmless) {
  const Blames blames = heard({{me, "a\nb\x1b[2J\xe9", Blamed::By::exception}});
  EXPECT_EQ(blames.words(me, "ended"), "ended: nobody caught an exception: a\\nb\\x1b[2J\\xe9");
}

}  // namespace
}  // namespace cohort
