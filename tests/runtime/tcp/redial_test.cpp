// SPDX-License-Identifier: Apache-2.0
// How long a dial goes on, in the machine's own time.
#include "runtime/transport/tcp/redial.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace cohort {
namespace {

using namespace std::chrono_literals;
using Outcome = Redial::Outcome;

constexpr Nanoseconds dial_patience = 4s;

// A dial whose attempts take so long each, and time that passes with it.
struct Dialled {
  explicit Dialled(Nanoseconds silence_limit) : redial(silence_limit, now) {}

  // Returns whether another attempt is made.
  bool attempt(Outcome outcome, Nanoseconds lasts, bool reaches = false) {
    if (begun) redial.begin_again(now);
    begun = true;
    pass(lasts);
    if (reaches) redial.reached();
    const auto pause = redial.ended(outcome, now);
    if (!pause) return false;
    pauses.push_back(*pause);
    pass(*pause);
    return true;
  }
  // Returns how long it went on.
  Nanoseconds until_given_up(Outcome outcome, Nanoseconds lasts, bool reaches = false) {
    for (int i = 0; i < 100'000 && attempt(outcome, lasts, reaches); ++i) {
    }
    return redial.lasted(now);
  }
  void pass(Nanoseconds time) {
    now.real += time;
    now.attended += time;
  }

  Redial::Time now{1h, 5min};
  Redial redial;
  bool begun = false;
  std::vector<Nanoseconds> pauses;
};

TEST(Redial, PausesDoubleUpToHalfASecond) {
  Dialled dial(dial_patience);
  dial.until_given_up(Outcome::failed, 0ns);
  ASSERT_GE(dial.pauses.size(), 8u);
  for (std::size_t i = 0; i < dial.pauses.size(); ++i) {
    EXPECT_EQ(dial.pauses[i], i < 6 ? 10ms * (1 << i) : 500ms) << i;
  }
}

TEST(Redial, APeerThatIsNotReachedIsGivenUpAtTheLimit) {
  for (const Nanoseconds attempt : {0ms, 1ms, 700ms}) {
    Dialled dial(dial_patience);
    const Nanoseconds lasted = dial.until_given_up(Outcome::failed, attempt);
    EXPECT_GE(lasted, dial_patience);
    EXPECT_LE(lasted, dial_patience + attempt + 500ms);
  }
  Dialled unlimited(0ns);
  const Nanoseconds lasted = unlimited.until_given_up(Outcome::failed, 0ms);
  EXPECT_GE(lasted, 10s);
  EXPECT_LE(lasted, 11s);
}

TEST(Redial, ARefusalIsBelievedAfterTwoSeconds) {
  Dialled dial(dial_patience);
  const Nanoseconds lasted = dial.until_given_up(Outcome::refused, 0ms);
  EXPECT_GE(lasted, 2s);
  EXPECT_LE(lasted, 2500ms);
}

// Later than that nobody needs what it would have got, at any moment of a dial.
TEST(Redial, WhoLeavesBelievesTheFirstRefusal) {
  for (int attempts = 0; attempts < 6; ++attempts) {
    for (const Outcome before : {Outcome::failed, Outcome::refused, Outcome::duplicate}) {
      Dialled dial(dial_patience);
      for (int i = 0; i < attempts; ++i) ASSERT_TRUE(dial.attempt(before, 0ms));
      dial.redial.hurry();
      ASSERT_TRUE(dial.attempt(Outcome::failed, 0ms));
      EXPECT_FALSE(dial.attempt(Outcome::refused, 0ms));
    }
  }
}

// It lives: its system accepts.
TEST(Redial, APeerThatIsReachedIsGivenUpOnlyAfterManyAttemptsThatItBrokeOff) {
  Dialled quick(dial_patience);
  quick.until_given_up(Outcome::failed, 0ms, /*reaches=*/true);
  EXPECT_GE(quick.pauses.size(), 19u);
  EXPECT_GE(quick.redial.lasted(quick.now), dial_patience);
  Dialled slow(dial_patience);  // the acceptor drops this process for its slowness
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(slow.attempt(Outcome::failed, 2s, /*reaches=*/true));
}

TEST(Redial, ADuplicateIsTriedForEver) {
  Dialled dial(dial_patience);
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(dial.attempt(Outcome::duplicate, 1ms, /*reaches=*/true));
  for (const Nanoseconds pause : dial.pauses) EXPECT_EQ(pause, 500ms);
}

TEST(Redial, TimeInWhichThisProcessDoesNotRunDoesNotCount) {
  Dialled dial(dial_patience);
  for (int i = 0; i < 30; ++i) {
    dial.now.real += 1h;  // stopped
    EXPECT_FALSE(dial.redial.too_late(dial.now));
    ASSERT_TRUE(dial.attempt(Outcome::failed, 0ms)) << i;
    if (dial.redial.lasted(dial.now) > dial_patience - 600ms) break;
  }
}

TEST(Redial, AnAttemptEndsAtTheLimitWhileItConnectsAndNotWhileItGreets) {
  Dialled dial(dial_patience);
  dial.pass(dial_patience - 1ns);
  EXPECT_FALSE(dial.redial.too_late(dial.now));
  dial.pass(1ns);
  EXPECT_TRUE(dial.redial.too_late(dial.now));
  dial.redial.reached();
  dial.pass(1h);
  EXPECT_FALSE(dial.redial.too_late(dial.now));
}

// Whatever happens: it ends only where it may, and pauses stay between the bounds.
TEST(Redial, OrdersOfOutcomesBySeed) {
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    Dialled dial(dial_patience);
    Nanoseconds unreached_since = dial.now.attended;
    for (int i = 0; i < 200; ++i) {
      const auto outcome = static_cast<Outcome>(random() % 4);
      const bool reaches = outcome == Outcome::duplicate || (outcome == Outcome::failed && random() % 2 == 0);
      const Nanoseconds lasts = std::chrono::milliseconds(random() % 1000);
      const bool goes_on = dial.attempt(outcome, lasts, reaches);
      const Nanoseconds end = goes_on ? dial.now.attended - dial.pauses.back() : dial.now.attended;
      if (reaches) unreached_since = end;
      const Nanoseconds lasted = dial.redial.lasted(dial.now) - (goes_on ? dial.pauses.back() : 0ns);
      const bool may_end = outcome == Outcome::duplicate ? false
                           : outcome == Outcome::refused ? lasted >= 2s
                           : reaches                     ? lasted >= dial_patience && i >= 19
                                                         : end - unreached_since >= dial_patience;
      if (!reaches || outcome == Outcome::duplicate) {
        ASSERT_EQ(goes_on, !may_end) << i;
      } else if (!goes_on) {
        ASSERT_TRUE(may_end) << i;
      }
      if (!goes_on) break;
      EXPECT_GE(dial.pauses.back(), 10ms);
      EXPECT_LE(dial.pauses.back(), 500ms);
    }
  }
}

}  // namespace
}  // namespace cohort
