// SPDX-License-Identifier: Apache-2.0
// Two processes and the credit that one has at the other, in orders drawn from seeds.
#include "runtime/messages/credit.hpp"

#include <gtest/gtest.h>

#include <deque>

#include "tests/random/random.hpp"

namespace cohort::testing {
namespace {

constexpr std::uint64_t window = 4096;

frames::Message whole(std::uint64_t length) { return {{}, {}, length, 0, static_cast<std::uint32_t>(length)}; }
frames::Message beginning(std::uint64_t length, std::uint64_t part) {
  return {{}, {}, length, 1, static_cast<std::uint32_t>(part)};
}

TEST(Credit, NothingIsHeldBeyondTheWindowAndNothingIsLost) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    Random random(seed);
    Credit sender(window), receiver(window);
    std::deque<frames::Message> held;
    std::deque<std::uint32_t> on_the_way_back;
    for (int step = 0; step < 200; ++step) {
      switch (random.below(4)) {
        case 0: {
          const auto length = static_cast<std::uint64_t>(random.below(2 * window));
          const frames::Message message =
              sender.use_for_all(length) ? whole(length) : beginning(length, sender.use_for_part(length));
          ASSERT_TRUE(message.valid()) << "seed " << seed;
          ASSERT_TRUE(receiver.lend(message)) << "seed " << seed;
          held.push_back(message);
          break;
        }
        case 1:
          if (held.empty()) break;
          receiver.owe(held.front());
          held.pop_front();
          break;
        case 2:
          on_the_way_back.push_back(receiver.settle());
          break;
        default:
          if (on_the_way_back.empty()) break;
          ASSERT_TRUE(sender.regain(on_the_way_back.front())) << "seed " << seed;
          on_the_way_back.pop_front();
      }
      std::uint64_t used = 0;
      for (const frames::Message& message : held) used += Credit::used(message);
      ASSERT_LE(used, window) << "seed " << seed;
    }
    for (; !held.empty(); held.pop_front()) receiver.owe(held.front());
    for (const std::uint32_t bytes : on_the_way_back) ASSERT_TRUE(sender.regain(bytes));
    ASSERT_TRUE(sender.regain(receiver.settle()));
    EXPECT_TRUE(sender.use_for_all(window - Credit::message_overhead)) << "seed " << seed;  // all of it is back
  }
}

TEST(Credit, ASenderThatUsesMoreThanItHasIsFound) {
  Credit receiver(window);
  EXPECT_TRUE(receiver.lend(whole(window - Credit::message_overhead)));
  EXPECT_TRUE(receiver.lend(beginning(100, 0)));  // only announced
  EXPECT_FALSE(receiver.lend(whole(1)));
}

TEST(Credit, AReceiverThatGivesBackMoreThanItGotIsFound) {
  Credit sender(window);
  EXPECT_TRUE(sender.use_for_all(100));
  EXPECT_TRUE(sender.regain(100 + Credit::message_overhead));
  EXPECT_FALSE(sender.regain(1));
}

TEST(Credit, SmallMessagesBehindALargeOneFindSome) {
  Credit sender(window);
  EXPECT_GT(sender.use_for_part(100 * window), 0u);
  EXPECT_TRUE(sender.use_for_all(window / 4));
}

}  // namespace
}  // namespace cohort::testing
