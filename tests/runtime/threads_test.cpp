// Several threads of one process (case 62): each in its own group or with its own tags.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "runtime/group_state.hpp"
#include "runtime/pending.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

class Threads : public ::testing::TestWithParam<Kind> {};

TEST_P(Threads, EachInAGroupOfItsOwn) {
  run({GetParam(), 3, true, {}}, [](Process& self) {
    const Group first = self.all().partition(0), second = self.all().partition(0);
    const auto work = [](const Group& group, int seed) {
      for (int i = 0; i < 200; ++i) {
        ASSERT_EQ(group.combine(seed + i, sum), 3 * (seed + i));
        std::vector<int> data(50'000, group.rank() == 0 ? i : -1);
        group.bcast(data, 0);
        ASSERT_EQ(data.back(), i);
      }
    };
    std::thread other([&] { work(second, 1000); });
    work(first, 1);
    other.join();
  });
}

// What ends at once does not wait for the thread that sleeps in the transport, which looks around once a second.
TEST_P(Threads, NobodyWaitsForASleeperToLookAround) {
  const auto begin = std::chrono::steady_clock::now();
  run({GetParam(), 2, true, {}}, [](Process& self) {
    const Group all = self.all();
    if (all.rank() == 1) {
      for (int i = 0; i < 100; ++i) EXPECT_EQ(all.receive<int>(0, 1), i);
      return all.send(0, 0, 2);
    }
    std::thread sleeper([&] { EXPECT_EQ(all.receive<int>(1, 2), 0); });
    std::thread other_sleeper([&] { EXPECT_EQ(all.receive<int>(0, 4), 7); });  // from this very process
    for (int i = 0; i < 100; ++i) {
      all.send(i, 1, 1);
      all.send(i, 0, 3);
      EXPECT_EQ(all.receive<int>(0, 3), i);
    }
    all.send(7, 0, 4);
    other_sleeper.join();
    sleeper.join();
  });
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));  // not 200
}

TEST(OneGroup, ACollectiveWhileAnotherThreadIsInOneIsAnError) {
  run_runtimes({Kind::memory, 1, true, {}}, [](detail::Runtime& runtime) {
    const auto state =
        std::make_shared<detail::GroupState>(runtime.shared_from_this(), GroupId{}, Members::range(0, 1, 1), 0, 0);
    const Group group(state);
    {
      detail::PendingCollective other(state, std::make_shared<detail::Call>(), std::make_shared<Schedule>(), 1);
      state->blocks(other);
      EXPECT_THROW(group.sync(), Error);
      EXPECT_THROW(static_cast<void>(group.start_sync()), Error);
      EXPECT_EQ(group.subrange(0, 1, 1).combine(5, sum), 5);
      state->remove(other);
    }
    EXPECT_EQ(group.combine(5, sum), 5);
  });
}

// Virtual time knows one thread a rank.
INSTANTIATE_TEST_SUITE_P(Real, Threads, ::testing::Values(Kind::memory, Kind::tcp),
                         [](const auto& info) { return to_string(info.param); });

}  // namespace
}  // namespace cohort::testing
