// SPDX-License-Identifier: Apache-2.0
// Who is given up for closed and for broken links, and when, with the time passed in.
#include "launcher/job/verdicts.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace cohort {
namespace {

using std::chrono::milliseconds;

constexpr bool patient = true;

// Four processes, two on each of two hosts.
class VerdictsOnFour : public testing::Test {
 protected:
  VerdictsOnFour() {
    for (Pid pid = 0; pid < roster_.ranks(); ++pid) {
      roster_.started(pid, 1000 + pid);
      roster_.joining(pid);
      roster_.joined(pid);
    }
  }
  void answer_all(std::uint32_t question) {
    for (const int host : {0, 1}) verdicts_.answered(host, question);
  }

  Roster roster_{4};
  Verdicts verdicts_{{0, 0, 1, 1}};
};

TEST_F(VerdictsOnFour, AClosedProcessHasThreeSecondsToEnd) {
  verdicts_.closes({.pid = 2}, milliseconds(100));
  EXPECT_EQ(verdicts_.deadline()->at, milliseconds(3100));
  EXPECT_FALSE(verdicts_.take_closing(milliseconds(3099)));
  const auto closing = verdicts_.take_closing(milliseconds(3100));
  ASSERT_TRUE(closing);
  EXPECT_EQ(closing->pid, 2);
  EXPECT_FALSE(verdicts_.take_closing(milliseconds(9000)));
  EXPECT_FALSE(verdicts_.deadline());
  EXPECT_TRUE(verdicts_.has_closed(2));
}

TEST_F(VerdictsOnFour, OneThatHasEndedBelowAShellHasHalfASecondAndItsStatusIsKept) {
  verdicts_.closes({.pid = 2}, milliseconds(0));
  verdicts_.closes({.pid = 2, .ended = true, .wait_status = 9}, milliseconds(1000));
  verdicts_.closes({.pid = 2}, milliseconds(1100));  // says less
  const auto closing = verdicts_.take_closing(milliseconds(1500));
  ASSERT_TRUE(closing);
  EXPECT_EQ(closing->wait_status, 9);
}

TEST_F(VerdictsOnFour, AnAccusationIsJudgedOnceAllHostsHaveAnswered) {
  verdicts_.suspects(0, 3, "reset", milliseconds(0));
  EXPECT_FALSE(verdicts_.take_time_up(milliseconds(399)));
  EXPECT_FALSE(verdicts_.judge(roster_, patient));  // nobody has been asked yet
  ASSERT_TRUE(verdicts_.take_time_up(milliseconds(400)));
  const auto question = verdicts_.ask();
  ASSERT_TRUE(question);
  verdicts_.answered(0, *question);
  EXPECT_FALSE(verdicts_.judge(roster_, patient));
  verdicts_.answered(1, *question);
  const auto broken = verdicts_.judge(roster_, patient);
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->of, 3);
  roster_.lost(broken->of);
  EXPECT_FALSE(verdicts_.judge(roster_, patient));
  EXPECT_FALSE(verdicts_.take_time_up(milliseconds(800)));
  EXPECT_FALSE(verdicts_.deadline());
}

TEST_F(VerdictsOnFour, WhereNoHostCanBeLostASilentOneIsNotWaitedForASecondTime) {
  verdicts_.suspects(0, 3, "reset", milliseconds(0));
  verdicts_.ask();
  EXPECT_FALSE(verdicts_.judge(roster_, patient));
  EXPECT_TRUE(verdicts_.judge(roster_, !patient));
}

TEST_F(VerdictsOnFour, ADeathExplainsABrokenLink) {
  verdicts_.suspects(0, 3, "reset", milliseconds(0));
  answer_all(*verdicts_.ask());
  roster_.ended(3, 9);
  EXPECT_FALSE(verdicts_.judge(roster_, patient));
}

TEST_F(VerdictsOnFour, WhoHasClosedItsLinksHasTimeToEndBeforeTheyCountAsBroken) {
  verdicts_.closes({.pid = 3}, milliseconds(0));
  verdicts_.suspects(0, 3, "closed", milliseconds(10));
  answer_all(*verdicts_.ask());
  EXPECT_FALSE(verdicts_.judge(roster_, patient));
  EXPECT_TRUE(verdicts_.take_closing(milliseconds(3000)));
  EXPECT_TRUE(verdicts_.judge(roster_, patient));
}

TEST_F(VerdictsOnFour, NobodyIsAccusedOnceAllHaveLeft) {
  verdicts_.suspects(0, 3, "closed", milliseconds(0));
  answer_all(*verdicts_.ask());
  for (Pid pid = 0; pid < roster_.ranks(); ++pid) roster_.left(pid);
  EXPECT_FALSE(verdicts_.judge(roster_, patient));
}

TEST_F(VerdictsOnFour, AJobThatEndsGivesNobodyUp) {
  verdicts_.closes({.pid = 3}, milliseconds(0));
  verdicts_.suspects(0, 2, "reset", milliseconds(0));
  answer_all(*verdicts_.ask());
  verdicts_.stop();
  EXPECT_FALSE(verdicts_.deadline());
  EXPECT_FALSE(verdicts_.take_closing(milliseconds(9000)));
  EXPECT_FALSE(verdicts_.judge(roster_, patient));
}

}  // namespace
}  // namespace cohort
