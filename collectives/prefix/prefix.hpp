// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collectives/peers.hpp"
#include "collectives/registry.hpp"

namespace cohort::prefix {

inline constexpr Parameter hybrid_parameters[] = {
    {"k", "the ranks form groups of 2^k", 0, [](const Problem& problem) { return Count{ceil_log2(problem.ranks)}; }}};

Schedule doubling(const Problem& problem, Rank me);
Cost doubling_cost(const Problem& problem);
Schedule chain(const Problem& problem, Rank me);

// These also do the exclusive prefix.
Schedule tree(const Problem& problem, Rank me);
Cost tree_cost(const Problem& problem);
Schedule hybrid(const Problem& problem, Rank me);
Cost hybrid_cost(const Problem& problem);
Schedule pipelined_binary(const Problem& problem, Rank me);
Cost pipelined_binary_cost(const Problem& problem);
Schedule two_tree(const Problem& problem, Rank me);
Cost two_tree_cost(const Problem& problem);
Schedule two_tree_couples(const Problem& problem, Rank me);
Cost two_tree_couples_cost(const Problem& problem);

}  // namespace cohort::prefix
