// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/pulse.hpp"

#include <gtest/gtest.h>

namespace cohort {
namespace {

using std::chrono::milliseconds;

class Pulses : public testing::Test {
 protected:
  asio::io_context loop_;
  int beats_ = 0, silences_ = 0;
  Pulse pulse_{loop_, 0.1, {[this] { ++beats_; }, [this](double) { ++silences_; }}};
};

TEST_F(Pulses, SilenceIsTakenForTheEndBeforeTheLimitOnce) {
  const auto begun = Clock::now();
  pulse_.start();
  loop_.run();  // nothing is left to wait for
  EXPECT_GE(Clock::now() - begun, milliseconds(90));
  EXPECT_EQ(silences_, 1);
}

TEST_F(Pulses, WhoIsHeardIsNotSilent) {
  pulse_.start();
  asio::steady_timer timer(loop_);
  int words = 0;
  std::function<void()> hear = [&] {
    if (++words > 30) return loop_.stop();
    pulse_.heard();
    timer.expires_after(milliseconds(10));
    timer.async_wait([&](const asio::error_code&) { hear(); });
  };
  hear();
  loop_.run();
  EXPECT_EQ(silences_, 0);
  EXPECT_GE(beats_, 1);
}

TEST_F(Pulses, NothingComesOfOneThatWasStopped) {
  asio::steady_timer first(loop_, Clock::now()), next_beat(loop_, milliseconds(30));
  first.async_wait([&](const asio::error_code&) { pulse_.stop(); });
  pulse_.start();
  const int before = beats_;
  next_beat.wait();  // then both timers are due, and the loop finds them at once
  loop_.run();
  EXPECT_EQ(beats_, before);
  EXPECT_EQ(silences_, 0);
}

TEST_F(Pulses, NoLimitNoBeats) {
  Pulse none(loop_, 0, {[this] { ++beats_; }, [this](double) { ++silences_; }});
  none.start();
  loop_.run();
  EXPECT_EQ(beats_ + silences_, 0);
}

}  // namespace
}  // namespace cohort
