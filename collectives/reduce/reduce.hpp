#pragma once

#include "collectives/cost.hpp"

namespace cohort::reduce {

Schedule recursive_split(const Problem& problem, Rank me);
Schedule circulant(const Problem& problem, Rank me);
Schedule two_tree(const Problem& problem, Rank me);
Cost two_tree_cost(const Problem& problem);
Schedule butterfly(const Problem& problem, Rank me);
Cost butterfly_cost(const Problem& problem);

}  // namespace cohort::reduce
