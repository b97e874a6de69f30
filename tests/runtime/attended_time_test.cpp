// SPDX-License-Identifier: Apache-2.0
#include "runtime/attended_time.hpp"

#include <gtest/gtest.h>

namespace cohort {
namespace {

using namespace std::chrono_literals;

class Attended : public ::testing::Test {
 protected:
  bool look_after(AttendedTime::Duration time) { return time_.look(now_ += time); }

  AttendedTime time_{100ms};
  AttendedTime::RealTime now_{5s};
};

TEST_F(Attended, IsRealTimeForWhoLooksOftenEnough) {
  time_.begin(now_);
  for (const auto time : {10ms, 100ms, 0ms, 50ms}) EXPECT_TRUE(look_after(time));
  EXPECT_EQ(time_.now(), 160ms);
}

TEST_F(Attended, CountsAStepOfATimeInWhichNobodyLooked) {
  time_.begin(now_);
  EXPECT_FALSE(look_after(1h));
  look_after(10ms);
  EXPECT_EQ(time_.now(), 110ms);
}

TEST_F(Attended, CountsNothingOfAPause) {
  time_.begin(now_);
  look_after(50ms);
  time_.begin(now_ += 1h);
  look_after(50ms);
  EXPECT_EQ(time_.now(), 100ms);
}

}  // namespace
}  // namespace cohort
