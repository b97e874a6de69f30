// SPDX-License-Identifier: Apache-2.0
// Several threads of one process: each in its own group or with its own tags.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <tuple>

#include "runtime/calls/pending_collective.hpp"
#include "runtime/groups/group_state.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

class Threads : public ::testing::TestWithParam<std::tuple<Kind, bool>> {
 protected:
  World world(Pid ranks) const {
    World world{std::get<0>(GetParam()), ranks};
    world.progress_thread = std::get<1>(GetParam());
    return world;
  }
};

TEST_P(Threads, Case62EachInAGroupOfItsOwn) {
  run(world(3), [](Process& self) {
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

TEST_P(Threads, EightEachInAGroupOfItsOwnThatTheyMakeAtTheSameTime) {
  run(world(3), [](Process& self) {
    const std::vector<Pid> list = {2, 0, 1};
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&] {
        const Group group = self.group(list);  // the same list at the same time: eight groups
        int named = static_cast<int>(group.id().counter);
        group.bcast(named, 0);
        EXPECT_EQ(named, static_cast<int>(group.id().counter));
        for (int i = 0; i < 50; ++i) {
          std::vector<int> data(static_cast<std::size_t>(i * 100), i), all(data.size() * 3);
          Request concat = group.start().concat(data, all);
          EXPECT_EQ(group.combine(i, sum), 3 * i);
          concat.wait();
          ASSERT_EQ(all, std::vector<int>(all.size(), i));
          ASSERT_EQ(
              group.exchange(std::span(&i, 1), (group.rank() + 1) % 3, std::span(&named, 1), (group.rank() + 2) % 3),
              1);
        }
      });
    }
  });
}

TEST_P(Threads, EightWithTagsOfTheirOwnInOneGroup) {
  run_all(world(2), [](const Group& all) {
    std::vector<std::jthread> threads;
    for (std::uint32_t tag = 0; tag < 8; ++tag) {
      threads.emplace_back([&, tag] {
        for (int i = 0; i < 100; ++i) {
          int got = -1;
          all.exchange(std::span(&i, 1), 1 - all.rank(), std::span(&got, 1), 1 - all.rank(), Tag{tag});
          ASSERT_EQ(got, i);
        }
      });
    }
  });
}

// Rank 1 joins in when one of rank 0's threads has been refused: so the other one is in the call.
TEST_P(Threads, Case62TwoInOneGroupsCollectivesAreAnErrorOfTheSecond) {
  run_all(world(2), [](const Group& all) {
    const Group row = all.partition(0);
    if (all.rank() == 1) {
      EXPECT_EQ(all.receive<int>(0), 1);
      return row.sync();
    }
    std::atomic<int> refused = 0;
    const auto call = [&] {
      try {
        row.sync();
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::argument);
        EXPECT_NE(std::string(error.what()).find("another thread is in a collective call on this group"),
                  std::string::npos);
        all.send(++refused, 1);
      }
    };
    std::thread other(call);
    call();
    other.join();
    EXPECT_EQ(refused, 1);
  });
}

// What ends at once does not wait for the thread that sleeps in the transport, which looks around once a second.
TEST_P(Threads, NobodyWaitsForASleeperToLookAround) {
  const auto begin = std::chrono::steady_clock::now();
  run(world(2), [](Process& self) {
    const Group all = self.all();
    if (all.rank() == 1) {
      for (int i = 0; i < 100; ++i) EXPECT_EQ(all.receive<int>(0, Tag{1}), i);
      return all.send(0, 0, Tag{2});
    }
    std::thread sleeper([&] { EXPECT_EQ(all.receive<int>(1, Tag{2}), 0); });
    std::thread other_sleeper([&] { EXPECT_EQ(all.receive<int>(0, Tag{4}), 7); });  // from this very process
    for (int i = 0; i < 100; ++i) {
      all.send(i, 1, Tag{1});
      all.send(i, 0, Tag{3});
      EXPECT_EQ(all.receive<int>(0, Tag{3}), i);
    }
    all.send(7, 0, Tag{4});
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
      detail::PendingCollective other(state,
                                      {std::make_shared<detail::Call>(), {}, std::make_shared<detail::Solution>()});
      state->blocks(other);
      EXPECT_THROW(group.sync(), Error);
      EXPECT_THROW(static_cast<void>(group.start().sync()), Error);
      EXPECT_EQ(group.subrange(0, 1, 1).combine(5, sum), 5);
      state->remove(other);
    }
    EXPECT_EQ(group.combine(5, sum), 5);
  });
}

// Virtual time knows one thread a rank.
INSTANTIATE_TEST_SUITE_P(Real, Threads,
                         ::testing::Combine(::testing::Values(Kind::memory, Kind::tcp), ::testing::Bool()),
                         [](const auto& info) {
                           return to_string(std::get<0>(info.param)) +
                                  (std::get<1>(info.param) ? "_with_progress_thread" : "");
                         });

}  // namespace
}  // namespace cohort::testing
