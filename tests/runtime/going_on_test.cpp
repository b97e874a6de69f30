// SPDX-License-Identifier: Apache-2.0
// Groups that go on without members that are lost: random deaths at random calls, on every transport.
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <set>

#include "cohort/cohort.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

struct Death : std::exception {};

// The pid of whom the call's error says that it is lost; -1 if it says nothing of the kind.
Pid lost_to(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.failure() != nullptr ? error.failure()->pid : -1;
  }
  return -1;
}

World world(Kind kind, Pid ranks, unsigned seed) {
  World world{kind, ranks, seed % 2 == 0, {}};
  world.goes_on = true;
  world.network.seed = seed;
  world.network.jitter = Nanoseconds(300'000);
  return world;
}

// By pid, the call at which it dies; never all.
std::map<Pid, int> deaths_of(Pid ranks, unsigned seed) {
  std::mt19937 random(seed);
  std::map<Pid, int> deaths;
  for (Pid pid = 0; pid < ranks; ++pid) {
    if (random() % 3 == 0 && std::ssize(deaths) + 1 < ranks) deaths[pid] = static_cast<int>(random() % 12);
  }
  return deaths;
}

void check_calls(const Group& group, int i) {
  const std::vector<Pid> members = group.members();
  const Pid me = group.pid_of(group.rank());
  const std::vector<Pid> mine(std::size_t{1} << (2 * i % 17), me);
  std::vector<Pid> sum(mine.size()), list(members.size());
  group.combine(mine, sum, cohort::sum);
  ASSERT_EQ(sum, std::vector<Pid>(mine.size(), std::accumulate(members.begin(), members.end(), 0)));
  group.concat(std::span(&me, 1), list);
  ASSERT_EQ(list, members);
  Request message = group.start().send(mine, (group.rank() + 1) % group.size());
  group.receive(sum, (group.rank() + group.size() - 1) % group.size());
  message.wait();
}

// Rows and columns of which some have lost nobody.
void check_grid(const Group& group) {
  for (const int key : {group.rank() / 3, group.rank() % 3}) {
    const Group line = group.partition(key);
    ASSERT_EQ(line.combine(1, cohort::sum), line.size());
  }
}

// Each dies by throwing at a call; or, where there are kills, so, if they come to it.
void run_with_deaths(Kind kind, Pid ranks, unsigned seed, bool with_grid, const std::vector<PlannedFault>& kills = {}) {
  const std::map<Pid, int> deaths = kills.empty() ? deaths_of(ranks, seed) : std::map<Pid, int>{};
  World at = world(kind, ranks, seed);
  at.faults.faults = kills;
  std::mutex mutex;
  std::map<Pid, GroupId> ended;
  std::map<GroupId, std::vector<Pid>> members;  // as the first says who has it
  const auto program = [&](Process& self) {
    Group group = self.all();
    bool incomplete = false;
    for (int i = 0; i < 12;) {
      try {
        if (incomplete) {
          group = group.survivors();
          i = group.combine(i, maximum);
          incomplete = false;
        }
        if (deaths.contains(self.pid()) && deaths.at(self.pid()) <= i) throw Death();
        if (with_grid) check_grid(group);
        check_calls(group, i);
        ++i;
      } catch (const Error& error) {
        ASSERT_TRUE(error.code() == ErrorCode::peer_lost || error.code() == ErrorCode::left) << error.what();
        incomplete = true;
      }
      const std::lock_guard lock(mutex);
      EXPECT_EQ(members.try_emplace(group.id(), group.members()).first->second, group.members());
    }
    const std::lock_guard lock(mutex);
    ended[self.pid()] = group.id();
  };
  if (deaths.empty()) {
    run(at, program);
  } else {
    EXPECT_THROW(run(at, program), Death);
  }
  for (const PlannedFault& kill : kills) ended.try_emplace(kill.rank);
  for (Pid pid = 0; pid < ranks; ++pid) EXPECT_NE(deaths.contains(pid), ended.contains(pid)) << pid;
}

// Killed with any byte, also one of those by which the living agree on who they are.
TEST(Survivors, OfRandomKillsInVirtualTimeHaveTheSameGroupsAndRightResults) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    std::mt19937 random(seed);
    const Pid ranks = 2 + static_cast<Pid>(random() % 8);
    std::vector<PlannedFault> kills;
    for (Pid pid = 1; pid < ranks; ++pid) {
      if (random() % 3 != 0 && !kills.empty()) continue;
      PlannedFault& kill = kills.emplace_back();
      kill.rank = pid;
      kill.trigger = FaultTrigger::byte;
      kill.nth = 1 + random() % (1u << (random() % 20));
    }
    SCOPED_TRACE(::testing::Message() << ranks << " ranks, seed " << seed);
    run_with_deaths(Kind::simulated, ranks, seed, random() % 2 == 0, kills);
  }
}

class GoingOn : public ::testing::TestWithParam<Kind> {};

TEST_P(GoingOn, SurvivorsOfRandomDeathsHaveTheSameGroupsAndRightResults) {
  const unsigned seeds = GetParam() == Kind::tcp ? 10 : 150;
  for (unsigned seed = 1; seed <= seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    // Who waits in a line for one that does not come there waits for a quarter of a second.
    const bool with_grid = GetParam() == Kind::simulated || seed % 10 == 0;
    run_with_deaths(GetParam(), 2 + static_cast<Pid>(seed % 8), seed, with_grid);
  }
}

void receive_one(const Group& group, Rank from) {
  std::vector<int> message(1);
  group.receive(message, from);
}

enum class Handle { kept, dropped, never_made };

// Pid 3 dies. The others have a group that it is not in, of which pid 0 has a handle or not; it asks for the survivors
// of all, and they wait for it in theirs.
void run_where_others_wait_elsewhere(Kind kind, Handle handle,
                                     const std::function<void(const Group&)>& wait_for_first) {
  const auto program = [&](Process& self) {
    const Group all = self.all();
    std::optional<Group> others;
    if (self.pid() != 3 && (self.pid() != 0 || handle != Handle::never_made)) others = all.subrange(0, 1, 3);
    if (self.pid() == 3) throw Death();
    if (self.pid() == 0) {
      EXPECT_THROW(receive_one(all, 3), Error);
      if (handle == Handle::dropped) others.reset();
    } else {
      EXPECT_EQ(lost_to([&] { wait_for_first(*others); }), 3);
    }
    const Group rest = all.survivors();
    EXPECT_EQ(rest.members(), (std::vector<Pid>{0, 1, 2}));
    if (others) {  // it has failed at all of its members
      EXPECT_EQ(lost_to([&] { others->sync(); }), 3);
    }
    check_calls(rest, 3);
  };
  EXPECT_THROW(run(world(kind, 4, 1), program), Death);
}

TEST_P(GoingOn, NobodyWaitsElsewhereForOneThatAsksForSurvivors) {
  for (const Handle handle : {Handle::kept, Handle::dropped, Handle::never_made}) {
    run_where_others_wait_elsewhere(GetParam(), handle, [](const Group& others) { others.sync(); });
    run_where_others_wait_elsewhere(GetParam(), handle, [](const Group& others) { receive_one(others, 0); });
  }
}

TEST_P(GoingOn, OneThatAsksTooOftenIsFollowed) {
  const auto program = [](Process& self) {
    const Group all = self.all();
    if (self.pid() == 3) throw Death();
    EXPECT_THROW(receive_one(all, 3), Error);
    const Group rest = all.survivors();
    if (self.pid() != 1) {  // it has lost nobody
      EXPECT_EQ(lost_to([&] { rest.sync(); }), 3);
    }
    check_calls(rest.survivors(), 3);
  };
  EXPECT_THROW(run(world(GetParam(), 4, 1), program), Death);
}

TEST_P(GoingOn, AGroupInWhichNobodyWaitsGoesOn) {
  const auto program = [](Process& self, const Pause& pause) {
    const Group all = self.all();
    if (self.pid() == 3) {
      receive_one(all, 0);
      throw Death();
    }
    const Group others = all.subrange(0, 1, 3);
    if (self.pid() == 0) {
      pause(std::chrono::milliseconds(600));  // so that the other asks
      others.send(7, 1);
      receive_one(others, 1);
      all.send(7, 3);
    } else if (self.pid() == 1) {
      receive_one(others, 0);
      others.send(7, 0);
    }
    EXPECT_THROW(receive_one(all, 3), Error);
    const Group rest = all.survivors();
    check_calls(rest, 3);
    check_calls(others, 3);
  };
  EXPECT_THROW(run(world(GetParam(), 4, 1), program), Death);
}

TEST_P(GoingOn, WithoutALossTheSurvivorsAreAll) {
  run(world(GetParam(), 4, 1), [](Process& self) {
    const Group all = self.all();
    const Group first = all.survivors(), second = all.survivors(), third = first.survivors();
    EXPECT_EQ(first.members(), all.members());
    EXPECT_EQ(std::set({all.id(), first.id(), second.id(), third.id()}).size(), 4u);
    for (const Group& group : {first, second, third}) check_calls(group, 3);
  });
}

TEST_P(GoingOn, WhatALossLeavesBehindIsNoMistake) {
  World develop = world(GetParam(), 3, 1);
  develop.develop = true;
  const auto program = [](Process& self) {
    const Group all = self.all();
    std::optional<Group> pair = all.partition(self.pid() == 2);
    if (self.pid() != 2) all.send(0, 2);
    if (self.pid() == 2) {
      receive_one(all, 0), receive_one(all, 1);  // they have their groups
      throw Death();
    }
    if (self.pid() == 1) pair->send(7, 0);
    EXPECT_THROW(all.sync(), Error);
    const Group rest = all.survivors();
    rest.sync();  // behind the message
    pair.reset();
    rest.sync();
    EXPECT_NO_THROW(self.leave());
  };
  EXPECT_THROW(run(develop, program), Death);
}

INSTANTIATE_TEST_SUITE_P(Everywhere, GoingOn, ::testing::ValuesIn(every_kind),
                         [](const auto& kind) { return to_string(kind.param); });

// Of the two ends of a link that broke.
TEST(GoingOn, WhoIsGivenUpIsNoSurvivor) {
  World at = world(Kind::memory, 2, 1);
  at.broken_link_is_death = true;
  PlannedFault& reset = at.faults.faults.emplace_back();
  reset.kind = FaultKind::reset;
  reset.from = 0;
  std::atomic<int> survivors = 0;
  std::atomic<int> given_up = 0;
  const auto program = [&](Process& self) {
    const Group all = self.all();
    Pid lost = -1;
    while (lost < 0) lost = lost_to([&] { all.combine(1, sum); });  // the last message before the reset may arrive
    if (lost != self.pid()) {
      EXPECT_EQ(all.survivors().members(), std::vector<Pid>{self.pid()});
      ++survivors;
      survivors.notify_all();
    } else {
      survivors.wait(0);  // the launcher has answered
      expect_error(ErrorCode::peer_lost, {"survivors: ", "connection reset"}, [&] { all.survivors(); });
      ++given_up;
    }
  };
  EXPECT_THROW(run(at, program), Error);  // who is given up does not leave in order
  EXPECT_EQ(survivors, 1);
  EXPECT_EQ(given_up, 1);
}

TEST(GoingOn, IsAnErrorWhereTheJobEndsWithItsFirstFailure) {
  run_all({Kind::memory, 2, true, {}}, [](const Group& all) {
    expect_error(ErrorCode::argument, {"--on-failure continue"}, [&] { all.survivors(); });
  });
}

}  // namespace
}  // namespace cohort::testing
