#pragma once

#include "collectives/cost.hpp"

namespace cohort::exclusive_prefix {

Schedule window(const Problem& problem, Rank me);
Schedule chain(const Problem& problem, Rank me);

// A number in [p - 1, 2^ceil(log2 p) - 1] with as few binary ones as possible: each costs window() a combination.
Rank window_target(Rank ranks);

}  // namespace cohort::exclusive_prefix
