// SPDX-License-Identifier: Apache-2.0
// Which way a job goes from its start to its end, and what is allowed where.
#include "launcher/job/phases.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <random>
#include <vector>

namespace cohort {
namespace {

using Phase = Phases::Phase;
using Interruption = Phases::Interruption;

// A job that has come so far in order.
Phases at(Phase phase) {
  Phases phases;
  if (phase >= Phase::starting) phases.start();
  if (phase >= Phase::joining) phases.join();
  if (phase >= Phase::running) phases.meet();
  if (phase == Phase::ending) phases.end(ended_by::Timeout{});
  if (phase >= Phase::draining) phases.drain();
  if (phase >= Phase::done) phases.finish();
  EXPECT_EQ(phases.now(), phase);
  return phases;
}

constexpr std::array all{Phase::connecting, Phase::starting, Phase::joining, Phase::running,
                         Phase::ending,     Phase::draining, Phase::done};

TEST(Phases, MoveOnOnlyFromTheOneBefore) {
  for (const Phase phase : all) {
    EXPECT_EQ(at(phase).start(), phase == Phase::connecting);
    EXPECT_EQ(at(phase).join(), phase == Phase::starting);
    EXPECT_EQ(at(phase).meet(), phase == Phase::joining);
    EXPECT_EQ(at(phase).drain(), phase > Phase::connecting && phase < Phase::draining);
    EXPECT_EQ(at(phase).finish(), phase < Phase::done);
  }
}

TEST(Phases, OfAJobThatIsEndedEarly) {
  for (const Phase phase : all) {
    Phases phases = at(phase);
    const bool may_end = phase != Phase::ending && phase != Phase::done;
    EXPECT_EQ(phases.end(ended_by::Deadlock{}), may_end);
    const Phase expected = phase == Phase::connecting ? Phase::done : std::max(phase, Phase::ending);
    EXPECT_EQ(phases.now(), expected);
    EXPECT_EQ(phases.early(), phase != Phase::done);
  }
}

TEST(Phases, TheFirstReasonCounts) {
  Phases phases = at(Phase::running);
  EXPECT_TRUE(phases.end(ended_by::Failure{3, {}}));
  EXPECT_FALSE(phases.end(ended_by::Timeout{}));
  EXPECT_EQ(phases.interrupted(SIGINT, false), Interruption::waits);
  EXPECT_EQ(std::get<ended_by::Failure>(*phases.reason()).status, 3);
}

TEST(Phases, AJobThatEndsDoesNotRun) {
  Phases phases = at(Phase::joining);
  phases.end(ended_by::Timeout{});
  EXPECT_FALSE(phases.meet());
  EXPECT_FALSE(phases.runs());
  EXPECT_TRUE(phases.has_processes());
}

TEST(Phases, ASignalEndsTheJobAndASecondOneKillsIt) {
  for (const Phase phase : {Phase::starting, Phase::joining, Phase::running, Phase::draining}) {
    Phases phases = at(phase);
    EXPECT_EQ(phases.interrupted(SIGTERM, false), Interruption::ends);
    EXPECT_EQ(std::get<ended_by::Interrupt>(*phases.reason()).signal, SIGTERM);
    EXPECT_EQ(phases.interrupted(SIGINT, false), Interruption::kills);
  }
}

TEST(Phases, ASignalToAJobThatEndsKillsItIfProcessesAreLostOrItIsTheSecond) {
  Phases phases = at(Phase::ending);
  EXPECT_EQ(phases.interrupted(SIGINT, true), Interruption::kills);
  phases = at(Phase::ending);
  EXPECT_EQ(phases.interrupted(SIGINT, false), Interruption::waits);
  EXPECT_EQ(phases.interrupted(SIGINT, false), Interruption::kills);
}

// Whatever comes in whatever order.
TEST(Phases, NeverGoBackAndKeepTheirReason) {
  const std::vector<std::function<void(Phases&)>> events{
      [](Phases& phases) { phases.start(); },
      [](Phases& phases) { phases.join(); },
      [](Phases& phases) { phases.meet(); },
      [](Phases& phases) { phases.end(ended_by::Timeout{}); },
      [](Phases& phases) { phases.end(ended_by::NotStarted{127}); },
      [](Phases& phases) { phases.drain(); },
      [](Phases& phases) { phases.finish(); },
      [](Phases& phases) { phases.interrupted(SIGINT, false); },
  };
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    Phases phases;
    for (int i = 0; i < 12; ++i) {
      const Phase before = phases.now();
      const bool early = phases.early();
      const std::size_t reason = early ? phases.reason()->index() : 0;
      events[random() % events.size()](phases);
      EXPECT_GE(phases.now(), before) << "seed " << seed;
      EXPECT_TRUE(!early || phases.reason()->index() == reason) << "seed " << seed;
      EXPECT_TRUE(phases.now() != Phase::ending || phases.early()) << "seed " << seed;
      EXPECT_FALSE(phases.runs() && phases.early()) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace cohort
