// SPDX-License-Identifier: Apache-2.0
// Gather up the tree of recursive halving: the scatter played backward.
// Cost: ceil(log2 p) alpha + (p - 1) / p beta m with equal blocks: the least of both; see scatter/recursive_split.
// Source: Watts 1994, sections 5.1 and 7; CCL section 4.2 (minimum spanning tree).
#include "collectives/patterns/recursive_split.hpp"
#include "collectives/gather/gather.hpp"

namespace cohort::gather {

Schedule recursive_split(const Problem& problem, Rank me) {
  return gather_up({problem.ranks, problem.root, me}, problem, me);
}

}  // namespace cohort::gather
