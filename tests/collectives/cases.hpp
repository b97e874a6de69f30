// The problems that an algorithm is verified on: for one number of ranks every root, the sizes 0, 1, p - 1, p, p + 1,
// uneven sizes with zeros, in place, block counts, distances; whatever its operation has of these.
#pragma once

#include <functional>
#include <span>

#include "collectives/registry.hpp"

namespace cohort::tests {

// A problem for each rank. The callback returns whether to go on.
using OnCase = std::function<bool(std::span<const Problem> ranks)>;

// Returns false as soon as the callback has.
bool for_each_case(const Algorithm& algorithm, Rank ranks, const OnCase& on_case);

// The highest number of ranks to test: COHORT_TEST_RANKS, or else what this build can do in time.
Rank highest_ranks(Rank usual);

}  // namespace cohort::tests
