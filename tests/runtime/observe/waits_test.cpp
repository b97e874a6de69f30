// SPDX-License-Identifier: Apache-2.0
// Which waits are told of, and when.
#include "runtime/observe/waits.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace cohort::testing {
namespace {

using namespace std::chrono_literals;
using detail::Waits;
using detail::WaitUntil;

class WaitsTest : public ::testing::Test {
 protected:
  void begin(WaitUntil& wait, Nanoseconds now) {
    waits_.begin(wait);
    wait.since = now;
  }
  // In develop mode, without a patience.
  bool blocked(Nanoseconds now, std::uint32_t threads = 1) { return waits_.look(now, threads, 0ns).blocked; }
  bool impatient(Nanoseconds now) { return waits_.look(now, std::nullopt, 10s).impatient; }

  bool is_over_ = false;
  const std::function<bool()> over_ = [this] { return is_over_; };
  WaitUntil one_{over_}, other_{over_};
  Waits waits_;
};

TEST_F(WaitsTest, OneThatIsSeenTwiceIsBlockedAndToldAgainAndAgainButEverMoreSeldom) {
  begin(one_, 1s);
  EXPECT_FALSE(blocked(1s));
  EXPECT_TRUE(blocked(2s));
  int times = 0;
  for (Nanoseconds now = 2s; now < 1000s; now += 50ms) times += blocked(now) ? 1 : 0;
  EXPECT_GT(times, 30);
  EXPECT_LT(times, 60);
}

TEST_F(WaitsTest, WithAThreadLessAllAreToldAtOnce) {
  begin(one_, 1s);
  EXPECT_FALSE(blocked(1s, 2));
  EXPECT_TRUE(blocked(20s, 2));
  EXPECT_FALSE(blocked(20s + 1ms, 2));
  EXPECT_TRUE(blocked(20s + 2ms, 1));
}

TEST_F(WaitsTest, PatienceEndsOnceForEach) {
  begin(one_, 1s);
  begin(other_, 5s);
  EXPECT_FALSE(impatient(10s));
  EXPECT_TRUE(impatient(11s));
  EXPECT_FALSE(impatient(14s));
  EXPECT_TRUE(impatient(15s));
  EXPECT_FALSE(impatient(1000s));
}

TEST_F(WaitsTest, WhatIsOverIsNoNews) {
  begin(one_, 1s);
  is_over_ = true;
  EXPECT_FALSE(blocked(2s));
  EXPECT_FALSE(blocked(3s));
  EXPECT_FALSE(impatient(100s));
}

TEST_F(WaitsTest, TheOnlyOneIsKnown) {
  EXPECT_EQ(waits_.only(), nullptr);
  begin(one_, 1s);
  EXPECT_EQ(waits_.only(), &one_);
  begin(other_, 1s);
  EXPECT_EQ(waits_.only(), nullptr);
  waits_.end(one_);
  EXPECT_EQ(waits_.only(), &other_);
}

TEST_F(WaitsTest, AwaySinceTheLastLookThatFoundAThreadHere) {
  EXPECT_EQ(waits_.away(5s), 0s);
  EXPECT_EQ(waits_.away(7s), 2s);
  waits_.enter();
  EXPECT_EQ(waits_.away(9s), 0s);
  EXPECT_EQ(waits_.away(10s), 1s);
}

}  // namespace
}  // namespace cohort::testing
