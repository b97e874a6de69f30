// SPDX-License-Identifier: Apache-2.0
// The machine of presence alone.
#include "runtime/presence/presence.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/random/random.hpp"

namespace cohort::testing {
namespace {

const GroupId group{1, 0, 0}, other{2, 0, 0};
const Presence::Asker in_channel{.pid = 1, .group = group};
const Presence::Asker in_call{.pid = 1, .group = group, .number = 3};

FaultPointer some_fault() { return std::make_shared<const Fault>(Fault{ErrorCode::mismatch, "differs"}); }

void lose(Failures& failures, Pid pid) {
  Failure record;
  record.number = 1;
  record.pid = pid;
  failures.died(record);
}

class PresenceTest : public ::testing::Test {
 protected:
  Presence::Actions answers() {
    if (!presence_.may_answer()) return {};
    return presence_.answers(failures_, [this](const GroupId& id) { return parts_[id]; });
  }
  template <class Action>
  Action only() {
    const Presence::Actions actions = answers();
    EXPECT_EQ(actions.size(), 1u);
    const Action* const one = actions.empty() ? nullptr : std::get_if<Action>(&actions[0]);
    EXPECT_NE(one, nullptr);
    return one == nullptr ? Action{} : *one;
  }

  Presence presence_{4};
  Failures failures_{{.me = 0, .has_launcher = true}};
  std::map<GroupId, Presence::Part> parts_;
};

TEST_F(PresenceTest, WhoAsksInAChannelWaitsAsLongAsThisProcessIsThere) {
  presence_.asked(in_channel);
  EXPECT_TRUE(presence_.may_answer());
  EXPECT_TRUE(answers().empty());
  EXPECT_FALSE(presence_.may_answer());  // so that it costs nothing
  presence_.let_go(group, nullptr);
  EXPECT_TRUE(presence_.may_answer());
  const auto told = only<Presence::TellAbsence>();
  EXPECT_EQ(told.to, 1);
  EXPECT_EQ(told.group, group);
  EXPECT_FALSE(told.left_job);
  EXPECT_FALSE(presence_.may_answer());
}

TEST_F(PresenceTest, TheAnswerComesBehindAllThatIsStillSent) {
  presence_.asked(in_channel);
  presence_.leave();
  parts_[group].sends_more = true;
  EXPECT_TRUE(answers().empty());
  parts_[group].sends_more = false;
  EXPECT_TRUE(only<Presence::TellAbsence>().left_job);
}

TEST_F(PresenceTest, WhyItWentIsToldToo) {
  presence_.asked(in_channel);
  presence_.let_go(group, some_fault());
  EXPECT_EQ(only<Presence::TellAbsence>().fault->cause, "differs");
  presence_.asked(in_channel);
  parts_[group].fault = std::make_shared<const Fault>(Fault{ErrorCode::argument, "of the same list, made again"});
  EXPECT_EQ(only<Presence::TellAbsence>().fault->code, ErrorCode::argument);
}

TEST_F(PresenceTest, CallsAreComparedUntilNothingMoreComesOfThem) {
  presence_.asked(in_call);
  EXPECT_EQ(only<Presence::Compare>().asker, in_call);
  EXPECT_EQ(only<Presence::Compare>().asker, in_call);
  presence_.settle(in_call);
  EXPECT_TRUE(answers().empty());
}

TEST_F(PresenceTest, AMemberOfAGroupWhoseSurvivorsAreAskedForWaitsForThisProcessElsewhere) {
  const Survivors::Question question{other, 1};
  presence_.asked(in_call);
  presence_.ask_survivors(question, {0, 1, 3});
  EXPECT_EQ(only<Presence::Compare>().asker, in_call);  // nobody is lost
  lose(failures_, 3);
  parts_[group].calls = 3;
  EXPECT_EQ(only<Presence::Compare>().asker, in_call);  // its call has been made meanwhile
  parts_[group].calls = 2;
  const auto told = only<Presence::TellLoss>();
  EXPECT_EQ(told.group, group);
  EXPECT_EQ(told.survivors_of, other);
  EXPECT_EQ(told.loss->failure->pid, 3);

  presence_.asked(in_call);
  presence_.survivors_told([&](const Survivors::Question& asked) { return asked == question; });
  EXPECT_EQ(only<Presence::Compare>().asker, in_call);
}

TEST_F(PresenceTest, AStrangersWaitIsNoReasonToGiveAGroupUp) {
  lose(failures_, 3);
  presence_.ask_survivors({other, 1}, {0, 3});
  presence_.asked(in_call);
  EXPECT_EQ(only<Presence::Compare>().asker, in_call);
}

TEST_F(PresenceTest, TheyAreNotMoreThanSoMany) {
  for (std::uint64_t number = 1; number < 10'000; ++number)
    presence_.asked({.pid = 1, .group = group, .number = number});
  EXPECT_EQ(answers().size(), 64u * 4u);
}

// Two processes of a pair of groups ask each other, let go, leave, and ask for survivors in any order: in the end
// nobody waits without an answer.
TEST_F(PresenceTest, WhateverTheOrderNobodyWaitsForOneThatIsGone) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    Presence one(4);
    Failures failures({.me = 0, .has_launcher = true});
    if (random.once_in(2)) lose(failures, 3);
    std::map<GroupId, bool> gone;
    std::map<std::pair<Pid, GroupId>, int> unanswered;
    const auto hear = [&](bool at_rest) {
      if (!one.may_answer()) return;
      const auto part_in = [&](const GroupId&) {
        Presence::Part part;
        part.sends_more = !at_rest && random.once_in(3);
        return part;
      };
      for (const Presence::Action& action : one.answers(failures, part_in)) {
        if (const auto* absence = std::get_if<Presence::TellAbsence>(&action))
          unanswered.erase({absence->to, absence->group});
        if (const auto* loss = std::get_if<Presence::TellLoss>(&action)) unanswered.erase({loss->to, loss->group});
      }
    };
    for (int step = 0; step < 30; ++step) {
      const GroupId& id = random.once_in(2) ? group : other;
      switch (random.below(4)) {
        case 0: {
          const Pid pid = static_cast<Pid>(1 + random.below(2));
          one.asked({.pid = pid, .group = id, .number = static_cast<std::uint64_t>(random.below(3))});
          ++unanswered[{pid, id}];
          break;
        }
        case 1:
          if (random.once_in(4)) one.ask_survivors({id, 1}, {0, 1, 2, 3});
          break;
        case 2:
          if (random.once_in(4) && !std::exchange(gone[id], true)) one.let_go(id, nullptr);
          break;
        default:
          hear(false);
      }
    }
    hear(true);
    for (const auto& [asked, times] : unanswered) EXPECT_FALSE(gone[asked.second]) << "pid " << asked.first << " waits";
    one.leave();
    hear(true);
    EXPECT_TRUE(unanswered.empty());
    EXPECT_FALSE(one.may_answer());
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace cohort::testing
