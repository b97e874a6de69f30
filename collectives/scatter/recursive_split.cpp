// SPDX-License-Identifier: Apache-2.0
// Scatter down the tree of recursive halving: each message holds the blocks of a whole subtree, which lie side by side.
// Cost: ceil(log2 p) alpha + (p - 1) / p beta m with equal blocks: the least of both. That is exact for rank 0 as the
// root and for a power of two ranks; otherwise unequal sides add up to a block a round.
// Source: Watts 1994, sections 5.1 and 7; CCL section 4.2 (minimum spanning tree).
#include "collectives/patterns/recursive_split.hpp"
#include "collectives/scatter/scatter.hpp"

namespace cohort::scatter {

Schedule recursive_split(const Problem& problem, Rank me) {
  return scatter_down({problem.ranks, problem.root, me}, problem, me);
}

}  // namespace cohort::scatter
