// SPDX-License-Identifier: Apache-2.0
// Broadcast down the tree of recursive halving. The ranks are split in the middle. The root sends to a rank of the
// other half, which becomes that half's root; and so on. On a line of ranks no two messages of a round share a link.
// Cost: ceil(log2 p) (alpha + beta m).
// Source: Watts 1994 (minimum spanning tree); see collectives/patterns/recursive_split.hpp.
#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/tree_pipeline.hpp"

namespace cohort::bcast {

Schedule recursive_split(const Problem& problem, Rank me) {
  return tree_broadcast(problem, halving_tree(problem.ranks, problem.root, me));
}

}  // namespace cohort::bcast
