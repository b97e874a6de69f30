// SPDX-License-Identifier: Apache-2.0
// The signals that make a job end, with the time passed in.
#include "launcher/job/escalation.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <utility>
#include <vector>

namespace cohort {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

using Signals = std::vector<std::pair<milliseconds, int>>;

// All that it does from `now` on, until it gives up, as one that wakes it at each deadline sees it.
Signals play(Escalation& escalation, Attended now) {
  const Attended begin = now;
  Signals signals;
  for (;;) {
    const Escalation::Due due = escalation.due(now);
    const auto after = std::chrono::duration_cast<milliseconds>(now - begin);
    for (const int number : due.signals) signals.emplace_back(after, number);
    if (due.give_up) {
      EXPECT_EQ(after - signals.back().first, seconds(10));
      EXPECT_FALSE(escalation.deadline());
      return signals;
    }
    if (!escalation.deadline() || escalation.deadline()->at <= now) {
      ADD_FAILURE() << "it waits for nothing";
      return signals;
    }
    now = escalation.deadline()->at;
  }
}

Signals signals_for(const EndedBy& reason) {
  Escalation escalation;
  const Attended now = seconds(7);
  escalation.begin(reason, now);
  return play(escalation, now);
}

TEST(Escalation, GivesTheSurvivorsOfAFailureTimeForTheirLastWords) {
  EXPECT_EQ(signals_for(ended_by::Failure{1, {}}),
            (Signals{{milliseconds(1000), SIGTERM}, {milliseconds(3000), SIGKILL}}));
  EXPECT_EQ(signals_for(ended_by::Deadlock{}), (Signals{{milliseconds(300), SIGTERM}, {milliseconds(2300), SIGKILL}}));
}

TEST(Escalation, BeginsAtOnceWhereNobodyHasAnythingToSay) {
  const Signals expected{{milliseconds(0), SIGTERM}, {milliseconds(2000), SIGKILL}};
  EXPECT_EQ(signals_for(ended_by::Timeout{}), expected);
  EXPECT_EQ(signals_for(ended_by::ClosedOutput{}), expected);
}

TEST(Escalation, PassesOnTheSignalThatTheLauncherGot) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(signals_for(ended_by::Interrupt{number}),
              (Signals{{milliseconds(0), number}, {milliseconds(5000), SIGKILL}}));
  }
}

TEST(Escalation, KillsWhatWasStartedInVain) {
  EXPECT_EQ(signals_for(ended_by::NotStarted{127}), (Signals{{milliseconds(0), SIGKILL}}));
  EXPECT_EQ(signals_for(ended_by::Unreachable{}), (Signals{{milliseconds(0), SIGKILL}}));
}

TEST(Escalation, KillsAtOnceInTheMiddleOfIt) {
  Escalation escalation;
  escalation.begin(ended_by::Failure{1, {}}, Attended(0));
  EXPECT_TRUE(escalation.due(milliseconds(500)).signals.empty());
  EXPECT_FALSE(escalation.has_signalled());
  escalation.kill(milliseconds(600));
  EXPECT_EQ(play(escalation, milliseconds(600)), (Signals{{milliseconds(0), SIGKILL}}));
  EXPECT_TRUE(escalation.has_signalled());
}

TEST(Escalation, LeavesTheFullDelayBehindAStepThatComesLate) {
  Escalation escalation;
  escalation.begin(ended_by::Timeout{}, Attended(0));
  EXPECT_EQ(escalation.due(Attended(0)).signals, std::vector{SIGTERM});
  EXPECT_EQ(escalation.due(seconds(100)).signals, std::vector{SIGKILL});
  EXPECT_FALSE(escalation.due(seconds(109)).give_up);
  EXPECT_TRUE(escalation.due(seconds(110)).give_up);
}

TEST(Escalation, DoesNothingOnceStopped) {
  Escalation escalation;
  escalation.begin(ended_by::Timeout{}, Attended(0));
  escalation.stop();
  EXPECT_FALSE(escalation.deadline());
  EXPECT_TRUE(escalation.due(seconds(100)).signals.empty());
  EXPECT_FALSE(escalation.has_signalled());
}

}  // namespace
}  // namespace cohort
