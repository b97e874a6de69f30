// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collectives/cost.hpp"

namespace cohort::reduce_scatter {

Schedule circulant(const Problem& problem, Rank me);
Schedule pairwise(const Problem& problem, Rank me);
Cost pairwise_cost(const Problem& problem);
Schedule merging_ranges(const Problem& problem, Rank me);
Cost merging_ranges_cost(const Problem& problem);
Schedule ring(const Problem& problem, Rank me);
Schedule mesh_rings(const Problem& problem, Rank me);
Cost mesh_rings_cost(const Problem& problem);
Schedule prime_rings(const Problem& problem, Rank me);
Cost prime_rings_cost(const Problem& problem);
Schedule tree(const Problem& problem, Rank me);
Cost tree_cost(const Problem& problem);
Schedule recursive_halving(const Problem& problem, Rank me);
Schedule all_reduce_reversed(const Problem& problem, Rank me);
Cost recursive_halving_cost(const Problem& problem);
Schedule leaders(const Problem& problem, Rank me);
Cost leaders_cost(const Problem& problem);

}  // namespace cohort::reduce_scatter
