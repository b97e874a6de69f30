// SPDX-License-Identifier: Apache-2.0
// Programs that ask again and again whether an operation has ended, and never wait: they hear of all that whoever waits
// would hear of.
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/expect_error.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// In virtual time nothing passes for who never waits.
class Polling : public ::testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Everywhere, Polling, ::testing::Values(Kind::memory, Kind::tcp),
                         [](const auto& kind) { return to_string(kind.param); });

// Throws what it failed with.
void poll(Request request) {
  const auto end = Clock::now() + 20s;
  while (!request.test()) {
    if (Clock::now() > end) throw std::runtime_error("it is asked in vain");
  }
}

TEST_P(Polling, FindsALinkThatIsSilent) {
  World world{GetParam(), 2};
  world.broken_link_is_death = true;
  world.host_limit = 1s;
  PlannedFault& hole = world.faults.faults.emplace_back();
  hole.kind = FaultKind::black_hole;
  std::mutex mutex;
  std::vector<std::string> ends;
  const auto start = Clock::now();
  try {
    run_all(world, [&](const Group& all) {
      std::string end = "none";
      std::vector<int> one{1};
      try {
        poll(all.start().combine(in_place(one), sum));
      } catch (const Error& error) {
        end = error.what();
      }
      const std::lock_guard lock(mutex);
      ends.push_back(end);
    });
  } catch (const Error&) {  // who was given up on can't leave in order
  }
  EXPECT_GE(Clock::now() - start, 800ms);
  EXPECT_LT(Clock::now() - start, 10s);
  ASSERT_EQ(ends.size(), 2u);
  for (const std::string& end : ends)
    EXPECT_NE(end.find("it does not answer (--host-limit)"), std::string::npos) << end;
}

TEST_P(Polling, HearsThatWhoIsWaitedForHasLeft) {
  for (const bool another_drives : {false, true}) {
    World world{GetParam(), 2};
    world.progress_thread = another_drives;
    run_all(world, [](const Group& all) {
      if (all.rank() == 1) return;
      int value = 0;
      expect_error(ErrorCode::left, {"pid 1, host0 has left the job"},
                   [&] { poll(all.start().receive(std::span(&value, 1), 1)); });
    });
  }
}

// A program that computes between its tests of two operations: a look for the one is none for the other.
TEST_P(Polling, HearsItOfEachOfTwoOperations) {
  run_all({GetParam(), 3}, [](const Group& all) {
    int value = 0, other = 0;
    if (all.rank() == 2) all.receive(value, 0);
    if (all.rank() != 0) return;
    Request service = all.start().receive(std::span(&value, 1), 2);
    Request awaited = all.start().receive(std::span(&other, 1), 1);
    const auto turn = [&] {
      for (const auto end = Clock::now() + 1ms; Clock::now() < end;) {
      }
      service.test();
      awaited.test();
    };
    expect_error(ErrorCode::left, {"pid 1, host0 has left the job"}, [&] {
      for (const auto end = Clock::now() + 20s; Clock::now() < end;) turn();
    });
    EXPECT_TRUE(service.cancel());
    all.send(value, 2);
  });
}

TEST_P(Polling, FindsThatTheOthersMadeAnotherCall) {
  for (const bool another_drives : {false, true}) {
    World world{GetParam(), 2, false};
    world.progress_thread = another_drives;
    run_all(world, [](const Group& all) {
      int value = 0;
      expect_error(ErrorCode::mismatch, {"bcast", "root 0", "root 1"},
                   [&] { poll(all.start().bcast(std::span(&value, 1), 1 - all.rank())); });  // nobody sends
    });
  }
}

}  // namespace
}  // namespace cohort::testing
