// SPDX-License-Identifier: Apache-2.0
// Looks that are hopeless are not made, and those that are worth it are.
#include "runtime/drive/idling.hpp"

#include <gtest/gtest.h>

namespace cohort {
namespace {

using namespace std::chrono_literals;

constexpr Pid me = 0;
constexpr int enough = 1000;

// A wait that lasts until something happens so much later.
void wait(Idling& idling, Nanoseconds lasts) {
  idling.looks_again();
  for (const Nanoseconds end = steady_now() + lasts; steady_now() < end;) idling.looks_again();
  idling.moved();
}

// Whether the first look of the next wait is followed by another.
bool hopes(Idling& idling) {
  const bool again = idling.looks_again();
  idling.moved();
  return again;
}

bool hopes_soon(Idling& idling) {
  for (int wait = 0; wait < enough; ++wait) {
    if (hopes(idling)) return true;
  }
  return false;
}

class IdlingTest : public testing::TestWithParam<bool> {
 protected:
  Idling idling{2, GetParam(), me};
};

TEST_P(IdlingTest, WhereThereIsNoCoreNobodyLooksAgain) {
  Idling without(0, GetParam(), me);
  EXPECT_FALSE(hopes(without));
  wait(without, 1ms);
  EXPECT_FALSE(hopes(without));
}

TEST_P(IdlingTest, LooksEndWhereNothingHappens) {
  EXPECT_TRUE(hopes_soon(idling));
  const Nanoseconds end = steady_now() + 10s;
  while (idling.looks_again()) ASSERT_LT(steady_now(), end);
}

TEST_P(IdlingTest, WhoUsuallyWaitsLongSleepsAtOnceUntilWaitsAreShort) {
  for (int i = 0; i < 20; ++i) wait(idling, 1ms);
  EXPECT_FALSE(idling.looks_again());
  idling.moved();
  EXPECT_TRUE(hopes_soon(idling));
}

TEST(IdlingAloneTest, OneLongWaitAmongShortOnesChangesNothing) {
  Idling idling(2, false, me);
  int changed = 0;
  for (int i = 0; i < 100; ++i) {
    for (int j = 0; j < 20; ++j) hopes(idling);
    wait(idling, 5ms);
    if (!hopes(idling)) ++changed;
  }
  EXPECT_LT(changed, 50);  // some, where short waits are long because others run
}

TEST_P(IdlingTest, TheTimeThatWhatCameTakesIsNoWaiting) {
  for (int i = 0; i < 20; ++i) {
    for (int look = 0; look < 40; ++look) idling.looks_again();
    for (const Nanoseconds end = steady_now() + 5ms; steady_now() < end;) {  // a long message is copied
    }
    idling.moved();
  }
  EXPECT_TRUE(hopes(idling));
}

// A progress thread sleeps without a look.
TEST_P(IdlingTest, ASleepThatNoLookBeganIsNoWaiting) {
  for (int i = 0; i < 20; ++i) {
    idling.slept();
    idling.moved();
    EXPECT_TRUE(hopes(idling)) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(AloneAndInTurn, IdlingTest, testing::Bool(),
                         [](const auto& info) { return info.param ? "in_turn" : "alone"; });

}  // namespace
}  // namespace cohort
