// SPDX-License-Identifier: Apache-2.0
// Members that leave while others wait for them: an error that names them, at once; and no error where all was sent.
#include <gtest/gtest.h>

#include <numeric>

#include "cohort/cohort.hpp"
#include "runtime/messages/messenger.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

using namespace std::chrono_literals;

class Departures : public ::testing::TestWithParam<Kind> {};

void is_left_alone(const std::function<void()>& call, const std::string& words) {
  expect_error(ErrorCode::left, {words}, call);
}

constexpr const char* pid_1_left = "pid 1, host0 has left the job and takes no part in it any more (called at";

TEST_P(Departures, AReceiveFromAProcessThatLeavesIsAnError) {
  run_all({GetParam(), 3, true, {}}, [](const Group& all) {
    if (all.rank() == 1) return;
    if (all.rank() == 0) is_left_alone([&] { all.receive<int>(1); }, pid_1_left);
    if (all.rank() == 0) all.send(7, 2);  // the others go on
    if (all.rank() == 2) {
      EXPECT_EQ(all.receive<int>(0), 7);
    }
  });
}

TEST_P(Departures, ASendThatNobodyWillReceiveIsAnError) {
  run_all({GetParam(), 2, true, {}}, [](const Group& all) {
    if (all.rank() == 1) return;
    const std::vector<char> much(2 * small_credit);
    is_left_alone([&] { all.send(much, 1); }, pid_1_left);
  });
}

TEST_P(Departures, ACollectiveWithoutOneOfItsMembersFailsAtAll) {
  run_all({GetParam(), 5, true, {}}, [](const Group& all) {
    if (all.rank() == 1) return;
    is_left_alone([&] { all.combine(all.rank(), sum); }, "pid 1, host0 has left the job");
  });
}

TEST_P(Departures, AMemberThatLetsGoOfAGroupIsMissedInIt) {
  for (const bool develop : {false, true}) {
    World world{GetParam(), 2, true, {}};
    world.develop = develop;
    run_all(world, [](const Group& all) {
      {
        const Group pair = all.partition(0);
        if (all.rank() == 0) {
          is_left_alone([&] { pair.receive<int>(1); }, "pid 1, host0 has let go of the group and takes no part in it");
        }
      }
      all.sync();  // this group is as it was
    });
  }
}

TEST_P(Departures, WhoComesBeforeOrAfterMakesNoDifference) {
  run_all({GetParam(), 4, true, {}}, [](const Group& all) {
    if (all.rank() == 3) return;
    if (all.rank() == 0) is_left_alone([&] { all.receive<int>(3); }, "pid 3");
    if (all.rank() == 0) is_left_alone([&] { all.receive<int>(3); }, "pid 3");
    if (all.rank() == 0) all.send(1, 1);
    if (all.rank() == 1) all.receive<int>(0);
    if (all.rank() == 1) is_left_alone([&] { all.receive<int>(3); }, "pid 3");
  });
}

INSTANTIATE_TEST_SUITE_P(Everywhere, Departures, ::testing::ValuesIn(every_kind),
                         [](const auto& kind) { return to_string(kind.param); });

// The network is slower than anybody's patience: messages are on their way while their sender leaves, and is asked.
TEST(SlowNetwork, WhatWasSentBeforeArrives) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SimulatedNetwork network;
    network.seed = seed;
    network.latency = 400ms;
    network.jitter = 300ms;
    run_all({Kind::simulated, 4, false, network}, [](const Group& all) {
      std::vector<int> sent(300'000), got(sent.size());
      std::iota(sent.begin(), sent.end(), all.rank());
      const Rank next = (all.rank() + 1) % 4, previous = (all.rank() + 3) % 4;
      Request large = all.start().send(sent, next, Tag{1});  // more than goes out unasked
      for (int i = 0; i < 3; ++i) all.send(i, next, Tag{2});
      {
        const Group ring = all.partition(0);
        ring.send(all.rank(), next);
        EXPECT_EQ(ring.receive<int>(previous), previous);
      }
      EXPECT_EQ(all.combine(1, sum), 4);
      for (int i = 0; i < 3; ++i) EXPECT_EQ(all.receive<int>(previous, Tag{2}), i);
      all.receive(got, previous, Tag{1});
      EXPECT_EQ(got.back(), previous + 299'999);
      large.wait();
      all.bcast(got, 0);  // whose root leaves first
    });
  }
}

}  // namespace
}  // namespace cohort::testing
