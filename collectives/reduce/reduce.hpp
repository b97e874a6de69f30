#pragma once

#include "collectives/cost.hpp"

namespace cohort::reduce {

Schedule recursive_split(const Problem& problem, Rank me);
Schedule circulant(const Problem& problem, Rank me);
Schedule butterfly(const Problem& problem, Rank me);
Schedule distribute_gather(const Problem& problem, Rank me);
Cost butterfly_cost(const Problem& problem);
Cost distribute_gather_cost(const Problem& problem);

}  // namespace cohort::reduce
