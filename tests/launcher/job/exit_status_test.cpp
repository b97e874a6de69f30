// SPDX-License-Identifier: Apache-2.0
// The table of exit codes in docs/reference/exit_codes.md, row by row.
#include "launcher/job/exit_status.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <vector>

namespace cohort {
namespace {

constexpr int aborted = 128 + SIGABRT;

JobRecord ended(EndedBy by) {
  JobRecord record;
  record.ended_by = by;
  return record;
}

TEST(ExitStatus, Is0IfEveryProcessEndedWith0) { EXPECT_EQ(exit_status({}), 0); }

TEST(ExitStatus, IsTheFirstFailures) {
  for (const int status : {1, 3, aborted, 128 + SIGKILL}) {
    EXPECT_EQ(exit_status(ended(ended_by::Failure{status, {}})), status);
  }
}

TEST(ExitStatus, IsThatOfTheCulpritIfItHasEndedByItself) {
  JobRecord record = ended(ended_by::Failure{aborted, 2});
  EXPECT_EQ(exit_status(record), aborted);
  record.culprit_end = 3;
  EXPECT_EQ(exit_status(record), 3);
}

TEST(ExitStatus, Is1IfTheCulpritHasLeftWithAMistake) {
  JobRecord record = ended(ended_by::Failure{aborted, 2});
  record.mistaken = {1};
  EXPECT_EQ(exit_status(record), aborted);  // another one's mistake
  record.mistaken = {1, 2};
  EXPECT_EQ(exit_status(record), 1);
  record.culprit_end = 3;
  EXPECT_EQ(exit_status(record), 3);
}

TEST(ExitStatus, Is1IfAHostCouldNotBeReached) { EXPECT_EQ(exit_status(ended(ended_by::Unreachable{})), 1); }

TEST(ExitStatus, Is1IfAProcessLeftWithAMistake) {
  JobRecord record;
  record.mistaken = {0};
  EXPECT_EQ(exit_status(record), 1);
}

TEST(ExitStatus, Is1IfStandardOutputCouldNotBeWrittenAndAllElseWasInOrder) {
  JobRecord record;
  record.output_lost = true;
  EXPECT_EQ(exit_status(record), 1);
  record.ended_by = ended_by::Timeout{};
  EXPECT_EQ(exit_status(record), 124);
}

TEST(ExitStatus, Is124AfterATimeout) { EXPECT_EQ(exit_status(ended(ended_by::Timeout{})), 124); }

TEST(ExitStatus, Is125AfterADeadlock) { EXPECT_EQ(exit_status(ended(ended_by::Deadlock{})), 125); }

TEST(ExitStatus, Is126Or127IfTheProgramCanNotBeRun) {
  for (const int status : {126, 127}) EXPECT_EQ(exit_status(ended(ended_by::NotStarted{status})), status);
}

TEST(ExitStatus, Is128AndTheSignalThatTheLauncherGot) {
  EXPECT_EQ(exit_status(ended(ended_by::Interrupt{SIGINT})), 130);
  EXPECT_EQ(exit_status(ended(ended_by::Interrupt{SIGTERM})), 143);
  EXPECT_EQ(exit_status(ended(ended_by::Interrupt{SIGHUP})), 129);
}

TEST(ExitStatus, Is141IfNobodyReadsTheOutput) { EXPECT_EQ(exit_status(ended(ended_by::ClosedOutput{})), 141); }

// --on-failure continue.
TEST(ExitStatus, OfAJobThatWentOnIsThatOfTheFirstThatEndedItself) {
  JobRecord record;
  record.first_loss = 128 + SIGKILL;
  record.anyone_left = true;
  EXPECT_EQ(exit_status(record), 0);
  record.mistaken = {0};
  EXPECT_EQ(exit_status(record), 1);
  record.first_own_end = 3;
  EXPECT_EQ(exit_status(record), 3);
}

TEST(ExitStatus, OfAJobThatHasLostAllIsThatOfTheFirst) {
  JobRecord record;
  record.first_loss = 128 + SIGKILL;
  record.first_own_end = 3;
  EXPECT_EQ(exit_status(record), 128 + SIGKILL);
}

TEST(ExitStatus, WhyTheJobWasEndedCountsMoreThanWhatItWentOnWithout) {
  const std::vector<EndedBy> reasons{ended_by::NotStarted{126}, ended_by::Unreachable{}, ended_by::Failure{7, {}},
                                     ended_by::Timeout{},       ended_by::Deadlock{},    ended_by::Interrupt{SIGINT},
                                     ended_by::ClosedOutput{}};
  for (const EndedBy& reason : reasons) {
    JobRecord record = ended(reason);
    const int status = exit_status(record);
    EXPECT_NE(status, 0);
    record.first_loss = 99;
    record.first_own_end = 98;
    record.mistaken = {0};
    record.output_lost = true;
    for (const bool anyone_left : {false, true}) {
      record.anyone_left = anyone_left;
      EXPECT_EQ(exit_status(record), status);
    }
  }
}

}  // namespace
}  // namespace cohort
