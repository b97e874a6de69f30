// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collectives/cost.hpp"

namespace cohort::reduce {

Schedule linear(const Problem& problem, Rank me);
Schedule binomial(const Problem& problem, Rank me);
Schedule recursive_split(const Problem& problem, Rank me);
Schedule fibonacci(const Problem& problem, Rank me);
Schedule chain(const Problem& problem, Rank me);
Schedule pipelined_binary(const Problem& problem, Rank me);
Schedule leaders(const Problem& problem, Rank me);
Cost leaders_cost(const Problem& problem);
Schedule circulant(const Problem& problem, Rank me);
Schedule two_tree(const Problem& problem, Rank me);
Cost two_tree_cost(const Problem& problem);
Schedule butterfly(const Problem& problem, Rank me);
Schedule distribute_gather(const Problem& problem, Rank me);
Cost butterfly_cost(const Problem& problem);
Cost distribute_gather_cost(const Problem& problem);

Cost chain_cost(const Problem& problem);
Cost pipelined_binary_cost(const Problem& problem);
Schedule dimension_pipeline(const Problem& problem, Rank me);
Schedule two_tree_couples(const Problem& problem, Rank me);
Cost two_tree_couples_cost(const Problem& problem);

}  // namespace cohort::reduce
