// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collectives/cost.hpp"

namespace cohort::exclusive_prefix {

Schedule window(const Problem& problem, Rank me);
Cost window_cost(const Problem& problem);
Schedule one_two_three(const Problem& problem, Rank me);
Cost one_two_three_cost(const Problem& problem);
Schedule doubling(const Problem& problem, Rank me);
Cost doubling_cost(const Problem& problem);
Schedule chain(const Problem& problem, Rank me);
Cost chain_cost(const Problem& problem);

// The schedule of all three window algorithms. The target is any number >= p - 1; its binary digits say how the window
// grows.
Schedule window_to(Rank target, const Problem& problem, Rank me);
Cost window_to_cost(Rank target, const Problem& problem);

// The target in [p - 1, 2^ceil(log2 p) - 1] with the fewest binary ones. Each binary one costs window() a combination.
Rank window_target(Rank ranks);

}  // namespace cohort::exclusive_prefix
