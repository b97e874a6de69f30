// SPDX-License-Identifier: Apache-2.0
#include "collectives/dataflow.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/collectives/segments.hpp"

namespace cohort {
namespace {

std::vector<Action*> startable(Dataflow& dataflow) {
  std::vector<Action*> actions;
  while (Action* action = dataflow.next()) actions.push_back(action);
  return actions;
}

bool is_send(const Action* action) { return action->kind == Action::Kind::send; }
bool is_receive(const Action* action) { return action->kind == Action::Kind::receive; }
bool is_step(const Action* action) { return action->kind == Action::Kind::step; }

TEST(Dataflow, EndsAtOnceWithNothingToDo) {
  Schedule schedule;
  schedule.add_round();
  schedule.add_round().fence();
  Dataflow dataflow(schedule);
  EXPECT_EQ(dataflow.next(), nullptr);
  EXPECT_TRUE(dataflow.finished());
}

TEST(Dataflow, StartsWhatDoesNotDependOnEachOther) {
  Schedule schedule;
  schedule.add_round().receive(1, output(0, 1));
  schedule.add_round().receive(2, output(1, 1));
  schedule.add_round().send(3, output(2, 1));
  Dataflow dataflow(schedule);
  const auto actions = startable(dataflow);
  ASSERT_EQ(actions.size(), 3u);
  dataflow.completed(*actions[2]);
  dataflow.completed(*actions[0]);
  EXPECT_FALSE(dataflow.finished());
  dataflow.completed(*actions[1]);
  EXPECT_TRUE(dataflow.finished());
}

// An action's access to a place, and to another place if it needs two.
struct Use {
  const char* name;
  bool writes;
  void (*add)(Round& round, Segment place, Segment other);
};

constexpr Use uses[] = {
    {"sends", false, [](Round& round, Segment place, Segment) { round.send(1, place); }},
    {"receives", true, [](Round& round, Segment place, Segment) { round.receive(1, place); }},
    {"copies from", false, [](Round& round, Segment place, Segment other) { round.copy(other, place); }},
    {"copies to", true, [](Round& round, Segment place, Segment other) { round.copy(place, other); }},
    {"combines from", false, [](Round& round, Segment place, Segment other) { round.combine_left(other, place); }},
    {"combines into", true, [](Round& round, Segment place, Segment other) { round.combine_right(place, other); }},
};

TEST(Dataflow, AnActionWaitsForAnEarlierOneIfOneOfThemWritesWhatBothTouch) {
  for (const Use& first : uses) {
    for (const Use& second : uses) {
      for (const Count distance : {0, 3, 4}) {  // both have four elements
        Schedule schedule;
        first.add(schedule.add_round(), output(0, 4), scratch(0, 4));
        second.add(schedule.add_round(), output(distance, 4), scratch(4, 4));
        Dataflow dataflow(schedule);
        const bool waits = distance < 4 && (first.writes || second.writes);
        EXPECT_EQ(startable(dataflow).size(), waits ? 1u : 2u)
            << "one " << first.name << " [0..4), another " << second.name << " [" << distance << ".." << distance + 4
            << ")";
      }
    }
  }
}

TEST(Dataflow, ASendWaitsForTheReceiveOfItsData) {
  Schedule schedule;
  schedule.add_round().receive(1, output(0, 4));
  schedule.add_round().send(2, output(3, 1));
  Dataflow dataflow(schedule);
  const auto first = startable(dataflow);
  ASSERT_EQ(first.size(), 1u);
  ASSERT_TRUE(is_receive(first[0]));
  dataflow.completed(*first[0]);
  const auto second = startable(dataflow);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_TRUE(is_send(second[0]));
  EXPECT_EQ(second[0]->round, 1u);
}

TEST(Dataflow, AReceiveWaitsUntilItsPlaceHasBeenSentAndCombined) {
  Schedule schedule;
  Round& round = schedule.add_round();
  round.send(1, scratch(0, 1));
  round.combine_left(output(0, 1), scratch(0, 1));
  schedule.add_round().receive(2, scratch(0, 1));
  Dataflow dataflow(schedule);
  const auto first = startable(dataflow);
  ASSERT_EQ(first.size(), 2u);  // both only read
  dataflow.completed(*first[0]);
  EXPECT_EQ(dataflow.next(), nullptr);
  dataflow.completed(*first[1]);
  const auto second = startable(dataflow);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_TRUE(is_receive(second[0]));
}

TEST(Dataflow, StepsOnOneTargetKeepTheirOrder) {
  Schedule schedule;
  Round& round = schedule.add_round();
  round.copy(output(0, 2), scratch(0, 2));
  round.combine_left(output(1, 1), scratch(2, 1));
  round.combine_right(output(1, 1), scratch(3, 1));
  Dataflow dataflow(schedule);
  for (int i = 0; i < 3; ++i) {
    const auto actions = startable(dataflow);
    ASSERT_EQ(actions.size(), 1u);
    EXPECT_TRUE(is_step(actions[0]));
    EXPECT_EQ(static_cast<int>(actions[0]->step.kind), i);
    dataflow.completed(*actions[0]);
  }
  EXPECT_TRUE(dataflow.finished());
}

TEST(Dataflow, MessagesOfAPairStartInTheSchedulesOrder) {
  // The second send to rank 1 has its data at once, the first does not; the one to rank 3 may overtake.
  Schedule schedule;
  schedule.add_round().receive(2, output(0, 1));
  schedule.add_round().send(1, output(0, 1));
  schedule.add_round().send(1, output(1, 1));
  schedule.add_round().send(3, output(1, 1));
  Dataflow dataflow(schedule);
  const auto first = startable(dataflow);
  ASSERT_EQ(first.size(), 2u);
  ASSERT_TRUE(is_receive(first[0]));
  EXPECT_EQ(first[1]->peer, 3);
  dataflow.completed(*first[0]);
  const auto second = startable(dataflow);
  ASSERT_EQ(second.size(), 2u);
  EXPECT_EQ(second[0]->round, 1u);
  EXPECT_EQ(second[1]->round, 2u);
}

TEST(Dataflow, AwaitsWhatTheScheduleHasFirstAlsoIfItStartedLater) {
  Schedule schedule;
  schedule.add_round().send(1, output(0, 1));
  schedule.add_round().receive(2, output(0, 1));
  schedule.add_round().receive(3, output(1, 1));
  Dataflow dataflow(schedule);
  EXPECT_EQ(dataflow.awaited(), nullptr);
  auto first = startable(dataflow);
  ASSERT_EQ(first.size(), 2u);
  std::ranges::partition(first, is_send);
  EXPECT_EQ(dataflow.awaited(), first[1]);
  EXPECT_EQ(first[1]->peer, 3);
  dataflow.completed(*first[0]);
  const auto second = startable(dataflow);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_EQ(second[0]->peer, 2);
  EXPECT_EQ(dataflow.awaited(), second[0]);
  dataflow.completed(*second[0]);
  EXPECT_EQ(dataflow.awaited(), first[1]);
  dataflow.completed(*first[1]);
  EXPECT_EQ(dataflow.awaited(), nullptr);
}

TEST(Dataflow, AFenceWaitsForEverythingBefore) {
  Schedule schedule;
  schedule.add_round().await(1);
  Round& fenced = schedule.add_round();
  fenced.fence();
  fenced.signal(2);
  schedule.add_round().signal(3);
  Dataflow dataflow(schedule);
  const auto first = startable(dataflow);
  ASSERT_EQ(first.size(), 1u);
  ASSERT_TRUE(is_receive(first[0]));
  dataflow.completed(*first[0]);
  EXPECT_EQ(startable(dataflow).size(), 2u);
}

TEST(Dataflow, LooksNoFurtherAheadThanItsWindow) {
  constexpr std::size_t rounds = 1000;
  constexpr std::size_t window = 5;
  std::size_t furthest = 0;
  Schedule schedule;
  schedule.add_rounds(rounds, [&furthest](std::size_t index, Round& round) {
    furthest = std::max(furthest, index);
    round.send(1, output(static_cast<Count>(index), 1));
  });
  Dataflow dataflow(schedule, window);
  std::size_t completed = 0;
  EXPECT_EQ(furthest, window - 1);
  std::vector<Action*> actions = startable(dataflow);
  EXPECT_EQ(actions.size(), window);
  // The oldest action holds the window back, whatever else completes.
  for (std::size_t i = 1; i < window; ++i, ++completed) dataflow.completed(*actions[i]);
  EXPECT_EQ(dataflow.next(), nullptr);
  EXPECT_EQ(furthest, window - 1);
  dataflow.completed(*actions[0]);
  ++completed;
  while (Action* action = dataflow.next()) {
    EXPECT_EQ(action->round, completed);
    EXPECT_LE(furthest, completed + window - 1);
    dataflow.completed(*action);
    ++completed;
  }
  EXPECT_EQ(completed, rounds);
  EXPECT_TRUE(dataflow.finished());
}

}  // namespace
}  // namespace cohort
