// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collectives/peers.hpp"
#include "collectives/registry.hpp"

namespace cohort::combine {

Schedule circulant(const Problem& problem, Rank me);
Cost circulant_cost(const Problem& problem);
Schedule wrap_split(const Problem& problem, Rank me);
Schedule tree(const Problem& problem, Rank me);
Cost tree_cost(const Problem& problem);
Schedule dual_root(const Problem& problem, Rank me);
Cost dual_root_cost(const Problem& problem);
Schedule two_tree(const Problem& problem, Rank me);
Cost two_tree_cost(const Problem& problem);
Schedule merging_ranges(const Problem& problem, Rank me);
Cost merging_ranges_cost(const Problem& problem);
Schedule pairwise(const Problem& problem, Rank me);
Cost pairwise_cost(const Problem& problem);
Schedule ring(const Problem& problem, Rank me);
Cost ring_cost(const Problem& problem);
Schedule mesh_rings(const Problem& problem, Rank me);
Cost mesh_rings_cost(const Problem& problem);
Schedule prime_rings(const Problem& problem, Rank me);
Cost prime_rings_cost(const Problem& problem);

inline constexpr Parameter divided[] = {{"divided", "prime factors rings that divide the vector (at most all)", 0,
                                         [](const Problem&) { return Count{31}; }}};
Schedule prime_rings_divided(const Problem& problem, Rank me);
Cost prime_rings_divided_cost(const Problem& problem);
Schedule leaders(const Problem& problem, Rank me);
Cost leaders_cost(const Problem& problem);
Schedule recursive_doubling(const Problem& problem, Rank me);
Schedule recursive_multiplying(const Problem& problem, Rank me);
Schedule census(const Problem& problem, Rank me);
Schedule hybrid(const Problem& problem, Rank me);
Schedule butterfly(const Problem& problem, Rank me);

Cost wrap_split_cost(const Problem& problem);
Cost recursive_doubling_cost(const Problem& problem);
Cost recursive_multiplying_cost(const Problem& problem);
Cost census_cost(const Problem& problem);
Cost hybrid_cost(const Problem& problem);
Cost butterfly_cost(const Problem& problem);

// Recursive multiplying with this radix, and its cost.
Schedule multiplying(const Problem& problem, Rank me, Count radix);
Cost multiplying_cost(const Problem& problem, Count radix);

inline constexpr Parameter hybrid_parameters[] = {
    {"k", "2^k neighbours reduce to their leader first", 0,
     [](const Problem& problem) { return Count{ceil_log2(problem.ranks)}; }}};

}  // namespace cohort::combine
