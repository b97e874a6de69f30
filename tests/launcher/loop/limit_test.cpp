// SPDX-License-Identifier: Apache-2.0
// Limits of time that count only what this process ran. That it stands still is a handler that does not return.
#include "launcher/loop/limit.hpp"

#include <gtest/gtest.h>

#include <asio/post.hpp>
#include <functional>

namespace cohort {
namespace {

using std::chrono::milliseconds;

class Limits : public testing::Test {
 protected:
  static void stand_still(milliseconds time) {
    asio::io_context nothing;
    asio::steady_timer(nothing, time).wait();
  }
  void begin(milliseconds time) {
    limit_.begin(time, [this] { ++over_; });
  }

  asio::io_context loop_;
  Limit limit_{loop_};
  int over_ = 0;
};

TEST_F(Limits, PassOnceAndNotBefore) {
  const auto begun = Clock::now();
  begin(milliseconds(50));
  loop_.run();
  EXPECT_GE(Clock::now() - begun, milliseconds(50));
  EXPECT_EQ(over_, 1);
  EXPECT_FALSE(limit_.running());
}

TEST_F(Limits, Case94TimeInWhichThisProcessStandsStillDoesNotCount) {
  constexpr milliseconds time(100), standstill(300), step(10);
  const auto begun = Clock::now();
  begin(time);
  asio::steady_timer after_a_while(loop_, milliseconds(30));
  after_a_while.async_wait([&](const asio::error_code&) { stand_still(standstill); });
  loop_.run();
  EXPECT_GE(Clock::now() - begun, time + standstill - 2 * step);
  EXPECT_EQ(over_, 1);
}

// Here nothing of the limit was left.
TEST_F(Limits, Case94WhatWasSaidDuringAStandstillIsHeardFirst) {
  bool heard = false, heard_before = false;
  limit_.begin(milliseconds(10), [&] { heard_before = heard; });
  asio::steady_timer said(loop_, milliseconds(100));  // due in the standstill, as bytes that arrive then
  said.async_wait([&](const asio::error_code&) { heard = true; });
  asio::post(loop_, [] { stand_still(milliseconds(150)); });
  loop_.run();
  EXPECT_TRUE(heard_before);
}

TEST_F(Limits, Case94PassThoughThisProcessNeverRunsInTime) {
  begin(milliseconds(50));
  std::function<void()> starve = [&] {
    stand_still(milliseconds(25));
    if (limit_.running()) asio::post(loop_, starve);
  };
  asio::post(loop_, starve);
  loop_.run_for(std::chrono::seconds(20));
  EXPECT_EQ(over_, 1);
}

TEST_F(Limits, NothingComesOfOneThatWasCancelledOrBegunAnewWhenItWasDue) {
  for (const bool anew : {false, true}) {
    over_ = 0;
    asio::steady_timer first(loop_, Clock::now());
    first.async_wait([&](const asio::error_code&) {
      EXPECT_TRUE(limit_.cancel());
      if (anew) begin(milliseconds(20));
    });
    begin(milliseconds(10));
    stand_still(milliseconds(30));  // then both timers are due, and the loop finds them at once
    loop_.restart();
    loop_.run();
    EXPECT_EQ(over_, anew ? 1 : 0);
    EXPECT_FALSE(limit_.cancel());
  }
}

TEST_F(Limits, AreWholeAgainWhenRenewed) {
  const auto begun = Clock::now();
  begin(milliseconds(60));
  asio::steady_timer later(loop_, milliseconds(40));
  Clock::time_point renewed_at;
  later.async_wait([&](const asio::error_code&) {
    renewed_at = Clock::now();
    limit_.renew();
  });
  loop_.run();
  EXPECT_GE(renewed_at - begun, milliseconds(40));
  EXPECT_GE(Clock::now() - renewed_at, milliseconds(60));
  EXPECT_EQ(over_, 1);
}

}  // namespace
}  // namespace cohort
