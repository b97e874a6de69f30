// SPDX-License-Identifier: Apache-2.0
#include "runtime/drive/looks_in_vain.hpp"

#include <gtest/gtest.h>

namespace cohort::testing {
namespace {

using detail::LooksInVain;

constexpr std::uint64_t start = 1'000'000'000;

// Looks as often as it may for so many time stamps, one test at each.
std::uint64_t looks_within(LooksInVain& looks, std::uint64_t stamps) {
  std::uint64_t made = 0;
  for (std::uint64_t now = start; now < start + stamps; ++now) {
    if (looks.too_soon(now)) continue;
    looks.looked(false, now);
    ++made;
  }
  return made;
}

TEST(LooksInVain, WhoWaitsForAnAnswerLooksAtOnce) {
  LooksInVain looks;
  for (int answer = 0; answer < 100; ++answer) {
    EXPECT_EQ(looks_within(looks, 30), 30u);
    looks.looked(true, start);
  }
}

TEST(LooksInVain, WhoTestsInALoopLooksLessOftenUntilSomethingComes) {
  LooksInVain looks;
  EXPECT_LT(looks_within(looks, 100'000), 300u);
  looks.looked(true, start);
  EXPECT_FALSE(looks.too_soon(start));
}

// A machine that slept, or moved a process to another processor, may count from elsewhere.
TEST(LooksInVain, NoLookIsLeftOutForLongWhateverTheTimeStampsAre) {
  LooksInVain looks;
  looks_within(looks, 100'000);
  for (const std::uint64_t now : {std::uint64_t{0}, std::uint64_t{1}, start / 2, start + 200'000, ~std::uint64_t{0}}) {
    EXPECT_FALSE(looks.too_soon(now)) << now;
  }
}

}  // namespace
}  // namespace cohort::testing
