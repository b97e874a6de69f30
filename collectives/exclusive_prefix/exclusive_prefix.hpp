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

// What all three windows are made of: any target >= p - 1, whose binary digits say how the window grows.
Schedule window_to(Rank target, const Problem& problem, Rank me);
Cost window_to_cost(Rank target, const Problem& problem);

// A number in [p - 1, 2^ceil(log2 p) - 1] with as few binary ones as possible: each costs window() a combination.
Rank window_target(Rank ranks);

}  // namespace cohort::exclusive_prefix
