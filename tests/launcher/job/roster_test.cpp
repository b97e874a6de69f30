// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/roster.hpp"

#include <gtest/gtest.h>

namespace cohort {
namespace {

constexpr int exited_0 = 0;
constexpr int status_of_exit_3 = 3 << 8;
constexpr int status_of_kill = 9;

Roster started(int ranks) {
  Roster roster(ranks);
  for (Pid pid = 0; pid < ranks; ++pid) roster.started(pid, 1000 + pid);
  return roster;
}

TEST(Roster, TellsOnceWhenAllHaveJoinedAndWhenAllHaveLeft) {
  for (int ranks = 1; ranks < 20; ++ranks) {
    Roster roster = started(ranks);
    for (Pid pid = 0; pid < ranks; ++pid) EXPECT_FALSE(roster.joining(pid));
    for (Pid pid = 0; pid < ranks; ++pid) {
      EXPECT_EQ(roster.joined(pid), pid == ranks - 1);
      EXPECT_FALSE(roster.joined(pid));  // a second time counts for nothing
    }
    for (Pid pid = ranks - 1; pid >= 0; --pid) {
      EXPECT_FALSE(roster.all_left());
      EXPECT_TRUE(roster.left(pid));
      EXPECT_FALSE(roster.left(pid));
    }
    EXPECT_TRUE(roster.all_left());
    for (Pid pid = 0; pid < ranks; ++pid) {
      EXPECT_FALSE(roster.all_ended());
      EXPECT_FALSE(roster.ended(pid, exited_0));
    }
    EXPECT_TRUE(roster.all_ended());
  }
}

// Whether they have left before or not.
TEST(Roster, NobodyWaitsForTheLostToLeave) {
  Roster roster = started(4);
  for (Pid pid = 0; pid < 4; ++pid) roster.joining(pid);
  for (Pid pid = 0; pid < 4; ++pid) roster.joined(pid);
  roster.left(0);
  roster.left(1);
  EXPECT_TRUE(roster.lost(1));
  EXPECT_FALSE(roster.lost(1));
  EXPECT_FALSE(roster.all_left());
  roster.lost(2);
  EXPECT_FALSE(roster.all_left());
  roster.lost(3);
  EXPECT_TRUE(roster.all_left());
}

TEST(Roster, NobodyNeedsToJoin) {
  Roster roster = started(3);
  for (Pid pid = 0; pid < 3; ++pid) EXPECT_FALSE(roster.ended(pid, exited_0));
}

TEST(Roster, EndingInOrderBeforeTheOthersJoinIsAFailureWhicheverComesFirst) {
  Roster first_ends = started(3);
  EXPECT_FALSE(first_ends.ended(2, exited_0));
  const auto missing = first_ends.joining(0);
  ASSERT_TRUE(missing);
  EXPECT_EQ(missing->pid, 2);

  Roster first_joins = started(3);
  EXPECT_FALSE(first_joins.joining(0));
  EXPECT_TRUE(first_joins.ended(2, exited_0));
}

TEST(Roster, AnEndingAtEachStageThatIsAFailureSaysWhy) {
  Roster roster = started(4);
  for (Pid pid = 0; pid < 4; ++pid) roster.joining(pid);
  EXPECT_NE(roster.ended(0, exited_0)->find("without leaving"), std::string::npos);
  roster.joined(1);
  EXPECT_NE(roster.ended(1, exited_0)->find("without leaving"), std::string::npos);
  roster.joined(2);
  roster.left(2);
  EXPECT_EQ(*roster.ended(2, status_of_exit_3), "exited with status 3");
  EXPECT_EQ(*roster.ended(3, status_of_kill), "was killed by signal 9 (Killed)");
  EXPECT_FALSE(roster.ended(3, status_of_kill));  // once
}

TEST(Roster, ListsRanksAsRanges) {
  Roster roster = started(9);
  for (const Pid pid : {0, 1, 2, 3, 5, 7, 8}) roster.joining(pid);
  using Stage = Roster::Stage;
  EXPECT_EQ(roster.list({Stage::joining}), "ranks 0-3, 5, 7, 8");
  EXPECT_EQ(roster.list({Stage::started}), "ranks 4, 6");
  roster.joining(4);
  EXPECT_EQ(roster.list({Stage::started}), "rank 6");
}

}  // namespace
}  // namespace cohort
