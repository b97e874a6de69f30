// SPDX-License-Identifier: Apache-2.0
#include "collectives/peers.hpp"

#include <gtest/gtest.h>

namespace cohort {
namespace {

TEST(Peers, AreCountedModuloTheRanks) {
  for (const Rank p : {1, 2, 3, 7, 64}) {
    for (std::int64_t value = -4 * p - 1; value <= 4 * p + 1; ++value) {
      const Rank rest = modulo(value, p);
      ASSERT_TRUE(0 <= rest && rest < p && (value - rest) % p == 0) << value << " modulo " << p << ": " << rest;
    }
    EXPECT_EQ(modulo(std::int64_t{p} << 40, p), 0);
    EXPECT_EQ(modulo(-(std::int64_t{p} << 40) - 1, p), p - 1);
  }
}

}  // namespace
}  // namespace cohort
