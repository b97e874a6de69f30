// SPDX-License-Identifier: Apache-2.0
// A job with a progress thread: what was started goes on while the program is not in the library.
#include <gtest/gtest.h>

#include <atomic>

#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

class ProgressThread : public ::testing::TestWithParam<Kind> {
 protected:
  World world(Pid ranks) const {
    World world{GetParam(), ranks, false};
    world.progress_thread = true;
    return world;
  }
};

// The middle of a chain must pass on what it gets: rank 2 leaves its blocking call while rank 1 is not in the library,
// or never.
TEST_P(ProgressThread, ACollectiveThatWasStarted) {
  for (const std::size_t size : {1, 3'000'000}) {
    std::atomic<bool> through = false;
    run(world(3), [&](Process& self) {
      EXPECT_TRUE(self.progress_thread());
      const Group all = self.all();
      std::vector<int> data(size, self.pid() == 0 ? 7 : 0);
      if (self.pid() != 1) {
        all.by("chain").bcast(data, 0);
        if (self.pid() == 2) through = true;
        return through.notify_all();
      }
      Request request = all.by("chain").start().bcast(data, 0);
      through.wait(false);
      request.wait();
      EXPECT_EQ(data, std::vector<int>(size, 7));
    });
  }
}

// More than the receiver gives credit for: both sides have to go on.
TEST_P(ProgressThread, MessagesThatWereStarted) {
  std::atomic<bool> arrived = false, sent = false;
  run_all(world(2), [&](const Group& all) {
    std::vector<int> data(2'000'000, all.rank());
    if (all.rank() == 0) {
      Request request = all.start().send(data, 1);
      arrived.wait(false);
      request.wait();
      all.send(data, 1);
      sent = true;
      sent.notify_all();
    } else {
      all.receive(data, 0);
      arrived = true;
      arrived.notify_all();
      Request request = all.start().receive(data, 0);
      sent.wait(false);
      request.wait();
      EXPECT_EQ(request.received(), 2'000'000);
    }
  });
}

TEST_P(ProgressThread, CallsThatBlockGetTheirTurnMeanwhile) {
  std::atomic<bool> done = false;
  run_all(world(2), [&](const Group& all) {
    const Group row = all.partition(0);
    int late = 0;
    Request request = all.rank() == 0 ? all.start().receive(std::span(&late, 1), 1, Tag{9}) : Request();
    for (int i = 0; i < 2000; ++i) ASSERT_EQ(row.combine(i, sum), 2 * i);
    if (all.rank() == 1) {
      all.send(5, 0, Tag{9});
      done.wait(false);
    } else {
      request.wait();
      EXPECT_EQ(late, 5);
      done = true;
      done.notify_all();
    }
  });
}

TEST_P(ProgressThread, ARankThatFailsEndsWhatOthersHaveStarted) {
  run(world(2), [&](Process& self) {
    int value = 0;
    Request request = self.all().start().receive(std::span(&value, 1), 1 - self.pid());
    if (self.pid() == 1) return self.leave();
    try {
      request.wait();
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::left) << error.what();
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Real, ProgressThread, ::testing::Values(Kind::memory, Kind::tcp),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace cohort::testing
