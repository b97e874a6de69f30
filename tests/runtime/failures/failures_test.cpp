// SPDX-License-Identifier: Apache-2.0
// The machine of failures alone: orders of events, by hand and drawn from seeds.
#include "runtime/failures/failures.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/random/random.hpp"

namespace cohort::testing {
namespace {

using namespace std::chrono_literals;

constexpr Failures::Settings with_launcher{.me = 0, .has_launcher = true, .verdict_limit = 20s};
constexpr Failures::Settings alone{.me = 0};

Failure death_of(Pid pid, std::uint32_t number) {
  Failure failure;
  failure.number = number;
  failure.pid = pid;
  failure.words = "was killed";
  return failure;
}

FaultPointer fault_of(const std::string& cause) {
  return std::make_shared<const Fault>(Fault{ErrorCode::mismatch, cause});
}

template <class Action>
std::vector<Action> of_kind(const Failures::Actions& actions) {
  std::vector<Action> found;
  for (const auto& action : actions) {
    if (const Action* one = std::get_if<Action>(&action)) found.push_back(*one);
  }
  return found;
}

TEST(Failures, ALinkThatBreaksMakesASuspectAndNothingFailsBeforeTheVerdict) {
  Failures failures(with_launcher);
  const auto asked = of_kind<Failures::AskWhy>(failures.link_broke(3, "reset", 5s));
  ASSERT_EQ(asked.size(), 1u);
  EXPECT_EQ(asked[0].peer, 3);
  EXPECT_EQ(asked[0].cause, "reset");
  EXPECT_TRUE(failures.link_broke(3, "reset again", 6s).empty());
  EXPECT_TRUE(failures.look(24s).empty());
  EXPECT_FALSE(failures.has_lost_somebody());

  const auto failed = of_kind<Failures::PeerFails>(failures.died(death_of(3, 1)));
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].fault->failure->number, 1u);
  EXPECT_TRUE(failures.look(100s).empty());  // it has its verdict
}

TEST(Failures, ALinkThatBreaksBehindTheVerdictIsNoNews) {
  Failures failures(with_launcher);
  failures.died(death_of(3, 1));
  EXPECT_TRUE(failures.link_broke(3, "reset", 5s).empty());
  EXPECT_TRUE(failures.died(death_of(3, 2)).empty());
}

TEST(Failures, WithoutAVerdictTheBrokenLinkIsTheReason) {
  Failures failures(with_launcher);
  failures.link_broke(3, "reset", 5s);
  failures.link_broke(4, "reset", 10s);
  const auto late = of_kind<Failures::NoVerdict>(failures.look(25s));
  ASSERT_EQ(late.size(), 1u);
  EXPECT_EQ(late[0].peer, 3);
}

TEST(Failures, WhereThereIsNoLauncherItIsAtOnce) {
  Failures failures(alone);
  EXPECT_EQ(of_kind<Failures::NoVerdict>(failures.link_broke(3, "reset", 5s)).size(), 1u);
}

TEST(Failures, WhoLeavesOrCanNotGoOnSuspectsNobody) {
  Failures left(with_launcher), broken(with_launcher);
  left.leave();
  EXPECT_EQ(of_kind<Failures::AllFails>(broken.broke(fault_of("the agent is gone"))).size(), 1u);
  EXPECT_TRUE(broken.broke(fault_of("again")).empty());
  for (Failures* one : {&left, &broken}) EXPECT_TRUE(one->link_broke(3, "reset", 5s).empty());
}

TEST(Failures, TheRecordMayBeThisProcesssOwn) {
  Failures failures(with_launcher);
  const auto failed = of_kind<Failures::AllFails>(failures.died(death_of(0, 1)));
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].fault->failure->pid, 0);
  EXPECT_TRUE(failures.broken());
}

TEST(Failures, AGroupFailsByADeathWhenThatIsKnown) {
  Failures failures(with_launcher);
  const GroupId group{1, 1, 0};
  failures.made(group, Members::range(0, 1, 3));
  EXPECT_TRUE(failures.told({.from = 1, .group = group, .fault = fault_of("is lost"), .dead = 5}).empty());
  EXPECT_TRUE(failures.awaits_death(1, group));
  EXPECT_FALSE(failures.awaits_death(2, group));
  EXPECT_EQ(failures.died(death_of(4, 1)).size(), 1u);  // another one
  const auto failed = of_kind<Failures::GroupFails>(failures.died(death_of(5, 2)));
  ASSERT_EQ(failed.size(), 1u);
  EXPECT_EQ(failed[0].told.fault->cause, "is lost");
  EXPECT_EQ(failed[0].told.fault->failure->number, 2u);
  EXPECT_FALSE(failures.awaits_death(1, group));
}

TEST(Failures, WhatWasToldOfAGroupMeetsItWhenItIsMade) {
  Failures failures(with_launcher);
  const GroupId group{1, 1, 0};
  EXPECT_TRUE(failures.told({.from = 1, .group = group, .fault = fault_of("differs")}).empty());
  EXPECT_TRUE(failures.told({.from = 7, .group = group, .fault = fault_of("by a stranger")}).empty());
  failures.died(death_of(2, 1));
  const auto failed = failures.made(group, Members::range(0, 1, 3));
  ASSERT_EQ(failed.size(), 2u);
  EXPECT_EQ(failed[0].from, 2);  // who is dead counts first
  EXPECT_EQ(failed[1].fault->cause, "differs");
}

TEST(Failures, TheLossBehindAGroupIsTheFirstOfItsMembersElseTheLatest) {
  Failures failures(with_launcher);
  EXPECT_EQ(failures.loss_behind({0, 1}), nullptr);
  for (const Pid pid : {6, 4, 5}) failures.died(death_of(pid, static_cast<std::uint32_t>(10 - pid)));
  EXPECT_EQ(failures.loss_behind({0, 4, 6})->failure->pid, 6);
  EXPECT_EQ(failures.loss_behind({0, 1})->failure->pid, 4);
}

// A job whose processes hear of everything in an order of their own, drawn from a seed.
class FailingJob {
 public:
  explicit FailingJob(unsigned seed) : random_(seed) {
    for (Pid pid = 0; pid < processes; ++pid)
      members_.push_back(Process{Failures({.me = pid, .has_launcher = true, .verdict_limit = 20s}), {}, {}, {}});
  }

  void play() {
    for (int step = 0; step < 60; ++step) event();
    for (const Pid suspect : suspects_) die(suspect);  // the launcher's verdict
    for (Pid pid = 0; pid < processes; ++pid) {        // all that is on its way arrives, and all groups are made
      make(pid);
      while (hear(pid)) continue;
      perform(pid, at(pid).failures.look(now_ + 100s));
    }
  }

  void check() {
    for (Pid pid = 0; pid < processes; ++pid) {
      if (dead_.contains(pid)) continue;
      const Process& one = at(pid);
      for (const Pid dead : dead_) EXPECT_EQ(one.failed_peers.count(dead), 1u) << pid << " and " << dead;
      for (const Pid peer : one.failed_peers) EXPECT_TRUE(dead_.contains(peer)) << "an innocent process failed";
      const bool fails = fails_ || std::ranges::any_of(dead_, [](Pid dead) { return dead < group_size; });
      EXPECT_EQ(one.group_failed, pid < group_size && fails) << "at " << pid;
    }
  }

 private:
  static constexpr Pid processes = 5, group_size = 4;  // the last one is no member
  static inline const GroupId group{1, 0, 0};

  struct Process {
    Failures failures;
    std::vector<std::function<Failures::Actions(Failures&)>> on_their_way;  // in order, what it will hear of
    std::multiset<Pid> failed_peers;
    bool made = false, group_failed = false;
  };
  Process& at(Pid pid) { return members_[static_cast<std::size_t>(pid)]; }
  Pid any(Pid below) { return static_cast<Pid>(random_.below(below)); }

  void event() {
    now_ += 1ms;
    const Pid pid = any(processes);
    switch (random_.below(5)) {
      case 0:
        perform(pid, at(pid).failures.link_broke(any(processes), "reset", now_));
        break;
      case 1:
        if (dead_.size() < 2 && random_.once_in(4)) die(pid);
        break;
      case 2:  // a member fails the group by itself, and tells the others
        if (pid < group_size && random_.once_in(8) && at(pid).made && !dead_.contains(pid)) {
          fails_ = at(pid).group_failed = true;
          for (Pid to = 0; to < group_size; ++to)
            at(to).on_their_way.push_back([pid](Failures& failures) {
              return failures.told({.from = pid, .group = group, .fault = fault_of("differs")});
            });
        }
        break;
      case 3:
        make(pid);
        break;
      default:
        hear(pid);
    }
  }

  void die(Pid pid) {
    if (!dead_.insert(pid).second) return;
    const Failure record = death_of(pid, static_cast<std::uint32_t>(dead_.size()));
    for (Process& one : members_)
      one.on_their_way.emplace_back([record](Failures& failures) { return failures.died(record); });
  }

  void make(Pid pid) {
    if (pid >= group_size || std::exchange(at(pid).made, true)) return;
    at(pid).group_failed |= !at(pid).failures.made(group, Members::range(0, 1, group_size)).empty();
  }

  bool hear(Pid pid) {
    auto& ways = at(pid).on_their_way;
    if (ways.empty()) return false;
    const auto next = ways.front();
    ways.erase(ways.begin());
    perform(pid, next(at(pid).failures));
    return true;
  }

  void perform(Pid pid, const Failures::Actions& actions) {
    Process& one = at(pid);
    for (const Failures::Action& action : actions) {
      if (const auto* why = std::get_if<Failures::AskWhy>(&action)) {
        suspects_.insert(why->peer);
      } else if (const auto* peer = std::get_if<Failures::PeerFails>(&action)) {
        one.failed_peers.insert(peer->peer);
        one.group_failed |= one.made && peer->peer < group_size;
      } else if (std::holds_alternative<Failures::GroupFails>(action)) {
        EXPECT_TRUE(one.made);
        one.group_failed = true;
      } else if (const auto* late = std::get_if<Failures::NoVerdict>(&action)) {
        ADD_FAILURE() << "pid " << late->peer << " was given up, though the launcher has its limit still";
      }
    }
  }

  Random random_;
  std::vector<Process> members_;
  std::set<Pid> suspects_, dead_;
  bool fails_ = false;
  Failures::Time now_{1s};
};

TEST(Failures, WhateverTheOrderAllHearOfAllDeathsAndFailures) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    FailingJob world(seed);
    world.play();
    world.check();
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace cohort::testing
