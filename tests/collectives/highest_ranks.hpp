// SPDX-License-Identifier: Apache-2.0
// The highest number of ranks of tests that loop over numbers of ranks.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "cohort/types.hpp"

namespace cohort::tests {

// COHORT_TEST_RANKS, or as many as this build can test in time.
inline Rank highest_ranks(Rank usual) {
  if (const char* wanted = std::getenv("COHORT_TEST_RANKS")) return static_cast<Rank>(std::atoi(wanted));
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return std::min(usual, 12);
#elif !defined(NDEBUG)
  return std::min(usual, 20);
#else
  return usual;
#endif
}

}  // namespace cohort::tests
