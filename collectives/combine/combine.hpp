#pragma once

#include "collectives/cost.hpp"

namespace cohort::combine {

Schedule circulant(const Problem& problem, Rank me);
Schedule wrap_split(const Problem& problem, Rank me);
Schedule tree(const Problem& problem, Rank me);
Schedule recursive_doubling(const Problem& problem, Rank me);
Schedule recursive_multiplying(const Problem& problem, Rank me);
Schedule census(const Problem& problem, Rank me);
Schedule butterfly(const Problem& problem, Rank me);

Cost wrap_split_cost(const Problem& problem);
Cost recursive_doubling_cost(const Problem& problem);
Cost recursive_multiplying_cost(const Problem& problem);
Cost census_cost(const Problem& problem);
Cost butterfly_cost(const Problem& problem);

// Recursive multiplying with this radix.
Schedule multiplying(const Problem& problem, Rank me, Count radix);
Cost multiplying_cost(const Problem& problem, Count radix);

}  // namespace cohort::combine
