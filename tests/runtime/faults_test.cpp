// SPDX-License-Identifier: Apache-2.0
// Faults on purpose: each kind does on every transport what it says, and in virtual time all of it replays.
#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <set>

#include "cohort/error.hpp"
#include "tests/runtime/planned_faults.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

// A stream of combines under these faults: what each rank saw, and how long it took where all was well.
struct Story {
  std::map<Pid, std::string> ends;
  Nanoseconds time{0};
  bool operator==(const Story&) const = default;
};

Story play(Kind kind, const std::vector<PlannedFault>& faults, int calls = 50, std::uint64_t seed = 1) {
  World world{.kind = kind, .ranks = 4};
  world.broken_link_is_death = true;
  world.network.seed = 3;
  world.faults = {seed, faults};
  Story story;
  std::mutex mutex;
  try {
    story.time = run(world, [&](Process& self) {
      std::string end = "fine";
      try {
        for (int i = 0; i < calls; ++i) {
          std::vector<std::int64_t> values(1000, self.pid() + i);
          self.all().combine(in_place(std::span(values)), sum);
          if (values != std::vector<std::int64_t>(1000, 6 + 4 * i)) end = "wrong";
        }
      } catch (const Error& error) {
        end = error.what();
      }
      const std::lock_guard lock(mutex);
      story.ends[self.pid()] = end;
    });
  } catch (const Error&) {  // who was given up on can't leave in order: its combine has said why
  }
  return story;
}

class LinkFaults : public ::testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, LinkFaults, ::testing::ValuesIn(every_kind),
                         [](const auto& kind) { return to_string(kind.param); });

const std::map<Pid, std::string> all_fine = {{0, "fine"}, {1, "fine"}, {2, "fine"}, {3, "fine"}};

TEST_P(LinkFaults, LateFramesArriveUnchangedAndInOrder) {
  PlannedFault late = fault(FaultKind::delay, -1, -1);
  late.trigger = FaultTrigger::chance;
  late.rate = 0.2;
  late.amount = 0.001;
  PlannedFault narrow = fault(FaultKind::throttle, 1, -1);
  narrow.amount = 4e6;
  EXPECT_EQ(play(GetParam(), {late, narrow}).ends, all_fine);
}

TEST_P(LinkFaults, Case21ABlackHoleThatEndsIsSurvived) {
  PlannedFault hole = fault(FaultKind::black_hole, 2, -1);
  hole.trigger = FaultTrigger::byte;
  hole.nth = 50'000;
  hole.for_s = 0.3;
  const Story story = play(GetParam(), {hole});
  EXPECT_EQ(story.ends, all_fine);
  EXPECT_GE(story.time, 300 * ms);
}

TEST_P(LinkFaults, Case25AFlippedBitInAHeaderIsNoticed) {
  PlannedFault flip = fault(FaultKind::corrupt, 2, -1);
  flip.trigger = FaultTrigger::byte;
  flip.nth = 100'000;
  const Story story = play(GetParam(), {flip});
  bool named = false;
  std::string ends;
  for (const auto& [pid, end] : story.ends) {
    ends += end + "\n";
    EXPECT_NE(end, "fine");
    EXPECT_NE(end, "wrong");
    named |= pid != 2 && end.find("pid 2") != std::string::npos &&
             (end.find("damaged") != std::string::npos || end.find("makes no sense") != std::string::npos);
  }
  EXPECT_TRUE(named) << ends;
}

TEST_P(LinkFaults, AFlippedBitInAPayloadIsTheProgramsToNotice) {
  PlannedFault flip = fault(FaultKind::corrupt, 2, -1);
  flip.trigger = FaultTrigger::byte;
  flip.nth = 100'000;
  flip.payload = true;
  std::size_t wrong = 0;
  for (const auto& [pid, end] : play(GetParam(), {flip}).ends) wrong += end == "wrong" ? 1u : 0u;
  EXPECT_GT(wrong, 0u);
}

TEST_P(LinkFaults, Case20AResetInAMessageNamesThePeerAtBothEnds) {
  PlannedFault reset = fault(FaultKind::reset, 2, -1);
  reset.trigger = FaultTrigger::byte;
  reset.nth = 100'000;
  int named = 0;
  for (const auto& [pid, end] : play(GetParam(), {reset}).ends) {
    EXPECT_NE(end, "fine");
    EXPECT_NE(end, "wrong");
    named += end.find("reset") != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(named, 2);
}

TEST_P(LinkFaults, RefusedConnectionsAreMadeLaterOrNever) {
  PlannedFault refuse = fault(FaultKind::refuse, -1, -1);
  refuse.for_s = 0.2;
  EXPECT_EQ(play(GetParam(), {refuse}).ends, all_fine);
  refuse.for_s = 0;
  for (const auto& [pid, end] : play(GetParam(), {refuse}).ends) {
    EXPECT_NE(end.find("cannot connect: Connection refused"), std::string::npos) << end;
  }
}

// Whatever kills it, in whichever call: all the others are told who it was, and not who else has gone for that.
TEST(SimulatedProcess, Case1ADeathIsToldToAll) {
  std::vector<PlannedFault> kills;
  for (const Pid rank : {0, 1, 2, 3}) {
    const PlannedFault kill = process_fault(FaultKind::kill, rank);
    for (const std::uint64_t nth : {1, 2, 17, 49}) {
      kills.emplace_back(kill).trigger = FaultTrigger::call;
      kills.back().nth = nth;
    }
    for (const std::uint64_t nth : {1, 9'000, 100'000}) {
      kills.emplace_back(kill).trigger = FaultTrigger::byte;
      kills.back().nth = nth;
    }
    for (const double at : {0.0, 0.001, 0.0123}) kills.emplace_back(kill).at_s = at;
  }
  for (const PlannedFault& kill : kills) {
    std::string ends;
    const Story story = play(Kind::simulated, {kill});
    for (const auto& [pid, end] : story.ends) ends += end + "\n";
    const std::string lost = "rank " + std::to_string(kill.rank) + " (pid " + std::to_string(kill.rank);
    EXPECT_EQ(story.ends.size(), 3u) << ends;
    EXPECT_FALSE(story.ends.contains(kill.rank)) << ends;
    for (const auto& [pid, end] : story.ends) {
      EXPECT_NE(end.find(lost), std::string::npos) << end;
      EXPECT_NE(end.find(") was killed"), std::string::npos) << end;
    }
    EXPECT_EQ(story, play(Kind::simulated, {kill}));
  }
}

// Everybody takes part in every combine, which takes about a millisecond.
TEST(SimulatedProcess, WhoIsStoppedForATimeGoesOn) {
  const Nanoseconds undisturbed = play(Kind::simulated, {}).time;
  for (const FaultTrigger trigger : {FaultTrigger::time, FaultTrigger::call, FaultTrigger::byte}) {
    PlannedFault stop = process_fault(FaultKind::stop, 2);
    stop.trigger = trigger;
    stop.at_s = 0.01;
    stop.nth = 20;
    stop.for_s = 0.5;
    const Story story = play(Kind::simulated, {stop});
    EXPECT_EQ(story.ends, all_fine);
    EXPECT_NEAR((story.time - undisturbed).count(), 0.5e9, 0.002e9);
  }
}

TEST(SimulatedProcess, WhoIsStoppedForEverHoldsUpAllUntilTheyAreTold) {
  PlannedFault stop = process_fault(FaultKind::stop, 2);
  stop.at_s = 0.01;
  const Story story = play(Kind::simulated, {stop});
  EXPECT_EQ(story.ends.size(), 3u);
  for (const auto& [pid, end] : story.ends) EXPECT_NE(end.find("every rank waits"), std::string::npos) << end;
}

// Of one second, which it computes in any case.
TEST(SimulatedProcess, WhoIsSlowComputesForLonger) {
  const auto time_with = [](std::vector<PlannedFault> faults) {
    World world{.kind = Kind::simulated, .ranks = 2};
    world.faults.faults = std::move(faults);
    return run(world, [](Process& self, const Pause& pause) {
      for (int i = 0; i < 4; ++i) {
        pause(250 * ms);
        self.all().sync();
      }
    });
  };
  const Nanoseconds undisturbed = time_with({});
  PlannedFault slow = process_fault(FaultKind::slow, 1);
  slow.amount = 0.25;
  EXPECT_NEAR((time_with({slow}) - undisturbed).count(), 3e9, 0.01e9);  // four times as long
  slow.for_s = 2;                                                       // half a second's work, that takes 1.5 s more
  EXPECT_NEAR((time_with({slow}) - undisturbed).count(), 1.5e9, 0.01e9);
  slow.at_s = 0.6;  // in the midst of computing
  EXPECT_NEAR((time_with({slow}) - undisturbed).count(), 1.2e9, 0.01e9);
  PlannedFault stop = process_fault(FaultKind::stop, 0);
  stop.at_s = 0.1;
  stop.for_s = 0.7;
  EXPECT_NEAR((time_with({stop}) - undisturbed).count(), 0.7e9, 0.01e9);
}

// A job in virtual time replays.
TEST(Simulated, TheSameSeedTellsTheSameStory) {
  std::vector<PlannedFault> faults = random_faults();
  PlannedFault& kill = faults.emplace_back(process_fault(FaultKind::kill, 1));
  kill.trigger = FaultTrigger::chance;
  kill.rate = 0.02;
  const auto story = [&](std::uint64_t seed) { return play(Kind::simulated, faults, 20, seed); };
  for (std::uint64_t seed = 1; seed <= 10; ++seed) EXPECT_EQ(story(seed), story(seed)) << "seed " << seed;
}

// To the nanosecond, where nobody is lost.
TEST(Simulated, TheSameSeedTakesTheSameTime) {
  std::vector<PlannedFault> faults = random_faults();
  std::erase_if(faults, [](const PlannedFault& one) {
    return one.kind != FaultKind::delay && one.kind != FaultKind::black_hole && one.kind != FaultKind::stop;
  });
  PlannedFault& narrow = faults.emplace_back(fault(FaultKind::throttle, 1, -1));
  narrow.amount = 4e6;
  narrow.trigger = FaultTrigger::call;
  narrow.nth = 5;
  faults.emplace_back(fault(FaultKind::refuse, -1, -1)).for_s = 0.2;
  std::set<Nanoseconds> times;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Story story = play(Kind::simulated, faults, 20, seed);
    EXPECT_EQ(story.ends, all_fine);
    EXPECT_EQ(story, play(Kind::simulated, faults, 20, seed)) << "seed " << seed;
    times.insert(story.time);
  }
  EXPECT_GT(times.size(), 5U);
}

}  // namespace
}  // namespace cohort::testing
