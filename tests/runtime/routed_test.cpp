// SPDX-License-Identifier: Apache-2.0
// A job of which half of the pairs of processes speak over memory, the other half over TCP.
#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <tuple>

#include "tests/support/collective_checks.hpp"
#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

class RoutedCollectives : public ::testing::TestWithParam<std::tuple<CollectiveCheck, Pid, bool>> {};

TEST_P(RoutedCollectives, AreRight) {
  const auto& [check, ranks, barrier] = GetParam();
  run_all({Kind::routed, ranks, barrier, {}}, check.run);
}

INSTANTIATE_TEST_SUITE_P(Half, RoutedCollectives,
                         ::testing::Combine(::testing::ValuesIn(collective_checks().begin(), collective_checks().end()),
                                            ::testing::Values(2, 3, 5, 8), ::testing::Bool()),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_p" +
                                  std::to_string(std::get<1>(info.param)) + (std::get<2>(info.param) ? "_barrier" : "");
                         });

// Whoever waits for a peer of one transport hears what the other one brings, too; and the other way round.
TEST(RoutedJob, AWaitForOnePeerDoesNotKeepTheOthersFromTheirs) {
  run_all({Kind::routed, 4, false, {}}, [](const Group& all) {
    constexpr int rounds = 300;
    const Rank me = all.rank();
    for (int round = 0; round < rounds; ++round) {
      for (Rank step = 1; step < all.size(); ++step) {
        std::vector<int> large(round % 50 == 0 ? 200'000 : 10, round + me), got(large.size());
        const Rank to = (me + step) % all.size(), from = (me + all.size() - step) % all.size();
        all.exchange(large, to, got, from);
        ASSERT_EQ(got, std::vector<int>(got.size(), round + from));
      }
    }
  });
}

// The survivors go on: a death is heard of over either transport.
TEST(RoutedJob, ARankThatFailsIsHeardOfOverBoth) {
  World world{Kind::routed, 4, false, {}};
  world.goes_on = true;
  std::atomic<int> told = 0;
  EXPECT_THROW(run(world,
                   [&](Process& self) {
                     const Group all = self.all();
                     if (all.rank() == 3) {
                       for (Rank to = 0; to < 3; ++to) all.send(to, to);  // over both
                       throw std::runtime_error("fails");
                     }
                     try {
                       EXPECT_EQ(all.receive<int>(3), all.rank());
                       static_cast<void>(all.receive<int>(3));
                     } catch (const Error& error) {
                       EXPECT_EQ(error.pid(), 3);
                       ++told;
                     }
                   }),
               std::runtime_error);
  EXPECT_EQ(told, 3);
}

}  // namespace
}  // namespace cohort::testing
