// SPDX-License-Identifier: Apache-2.0
// Who is in a job and who is lost: what follows from an end, a lost host, a mistake, and when nothing does any more.
#include "launcher/job/job_membership.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

namespace cohort {
namespace {

class FourRanks : public testing::Test {
 protected:
  void come_up() {
    for (Pid pid = 0; pid < 4; ++pid) {
      members_.started(pid, 100 + pid);
      members_.joining(pid, {});
      members_.joined(pid);
    }
    members_.runs();
  }
  News end(Pid pid, int wait_status) {
    v1::Ended message;
    message.set_pid(pid);
    message.set_wait_status(wait_status);
    return members_.ended(message, {});
  }
  // A process ends, and these members with it: sequences of pids, as they travel. None: the whole job.
  static v1::FromHost abort_by(Pid pid, const std::vector<int>& sequences = {}) {
    v1::FromHost message;
    message.mutable_blames()->set_by(pid);
    process::v1::Blame& said = *message.mutable_blames()->mutable_blame();
    said.set_by(process::v1::Blame::ABORT);
    said.set_cause("rank " + std::to_string(pid) + " aborts");
    said.mutable_members()->Assign(sequences.begin(), sequences.end());
    return message;
  }
  static std::vector<news::Lost> losses(const News& news) {
    std::vector<news::Lost> losses;
    for (const auto& one : news) {
      if (const auto* const lost = std::get_if<news::Lost>(&one)) losses.push_back(*lost);
    }
    return losses;
  }
  static int told(const News& news, v1::ToHost::BodyCase what) {
    int count = 0;
    for (const auto& one : news) {
      const auto* const tell = std::get_if<news::TellAll>(&one);
      if (tell != nullptr && tell->message.body_case() == what) ++count;
    }
    return count;
  }

  const HostPlan near_{"near", true, 0, 2}, far_{"far", false, 2, 2};
  JobMembership members_{{near_, far_}, {.goes_on = true, .host_limit_s = 5, .stall_limit_s = 60}};
};

TEST_F(FourRanks, ALossBeforeTheJobRunsEndsIt) {
  members_.started(1, 101);
  members_.joining(1, {});
  const auto lost = losses(end(1, SIGKILL));
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_FALSE(lost.front().goes_on);
  EXPECT_EQ(lost.front().failure.host, "near");
  EXPECT_NE(lost.front().line.find("rank 1 (host near, process 101) was killed by signal 9"), std::string::npos);
}

TEST_F(FourRanks, AProcessThatAbortsTheJobIsItsLastLoss) {
  come_up();
  EXPECT_TRUE(losses(end(0, SIGKILL)).front().goes_on);
  EXPECT_TRUE(members_.heard(abort_by(1), {}).empty());
  const auto lost = losses(end(1, W_EXITCODE(7, 0)));
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_FALSE(lost.front().goes_on);
  EXPECT_EQ(lost.front().exit_status, 7);
}

TEST_F(FourRanks, AnAbortOfSomeKillsThemBeforeTheOthersHearOfIt) {
  come_up();
  const News news = members_.heard(abort_by(1, {1, 2, 2}), {});  // 1 and 3
  const auto lost = losses(news);
  ASSERT_EQ(lost.size(), 1U);
  EXPECT_EQ(lost.front().failure.pid, 3);
  EXPECT_TRUE(lost.front().goes_on);
  EXPECT_FALSE(lost.front().by_itself);
  EXPECT_NE(lost.front().line.find("rank 1 aborts"), std::string::npos);
  const auto* const first = std::get_if<news::TellAll>(&news.front());
  ASSERT_TRUE(first != nullptr && first->message.has_kill());
  EXPECT_EQ(first->message.kill().pid(), 3);
  EXPECT_EQ(losses(end(1, W_EXITCODE(7, 0))).front().exit_status, 7);
  EXPECT_TRUE(losses(end(3, SIGKILL)).empty());                     // known already
  EXPECT_TRUE(members_.heard(abort_by(0, {0, 2, 2}), {}).empty());  // 0 and 2: all that live
  EXPECT_FALSE(losses(end(0, W_EXITCODE(7, 0))).front().goes_on);
}

TEST_F(FourRanks, AnAbortOfSomeDoesNotEndAJobThatTheOthersHaveLeft) {
  come_up();
  for (const Pid pid : {0, 2, 3}) members_.left(pid);
  EXPECT_TRUE(members_.heard(abort_by(1, {1, 2, 2}), {}).empty());  // 1 and 3, which has left
  EXPECT_TRUE(losses(end(1, W_EXITCODE(7, 0))).front().goes_on);
}

TEST_F(FourRanks, AnAbortOfMembersThatCannotBeIsIgnored) {
  come_up();
  EXPECT_TRUE(members_.heard(abort_by(1, {3, 1, 2}), {}).empty());  // 4 is no rank
  EXPECT_TRUE(losses(end(1, W_EXITCODE(7, 0))).front().goes_on);
}

TEST_F(FourRanks, ALostHostIsLostTogether) {
  come_up();
  for (const Pid pid : {0, 1}) members_.left(pid);
  const News news = members_.lost_host(far_, "gone", {});
  const auto lost = losses(news);
  ASSERT_EQ(lost.size(), 2U);
  for (std::uint32_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(lost[i].goes_on);
    EXPECT_EQ(lost[i].failure.number, i + 1);
    EXPECT_EQ(lost[i].failure.seen_by, "the launcher");
  }
  EXPECT_EQ(told(news, v1::ToHost::kAllLeft), 1);  // behind both losses: the others had waited for these
  EXPECT_EQ(news.size(), 3U);
}

TEST_F(FourRanks, ARefusedProcessIsKilledInAJobThatGoesOn) {
  come_up();
  v1::FromHost message;
  message.mutable_refuses()->set_pid(3);
  const News news = members_.heard(message, {});
  EXPECT_EQ(losses(news).size(), 1U);
  EXPECT_EQ(told(news, v1::ToHost::kKill), 1);
  EXPECT_TRUE(losses(members_.heard(message, {})).empty());  // a process is lost once
}

TEST_F(FourRanks, WhatAJobThatEndsDoesToItsProcessesIsNoNews) {
  come_up();
  members_.ends();
  EXPECT_TRUE(losses(end(0, SIGKILL)).empty());  // nothing was lost before: it may be the user's Ctrl-C
  members_.signalled();
  EXPECT_TRUE(losses(end(1, SIGKILL)).empty());
}

TEST_F(FourRanks, AfterTheEndHasBegunNobodyIsGivenUpForALink) {
  come_up();
  v1::FromHost message;
  message.mutable_suspects()->set_by(0);
  message.mutable_suspects()->mutable_suspect()->set_pid(3);
  members_.heard(message, {});
  EXPECT_TRUE(members_.deadline());
  members_.ends();
  EXPECT_FALSE(members_.deadline());
  members_.heard(message, {});
  EXPECT_FALSE(members_.deadline());
}

}  // namespace
}  // namespace cohort
