// SPDX-License-Identifier: Apache-2.0
// Gather of unequal blocks: scatter/weighted_split played backward, up a tree that is cut by the blocks' sizes. The
// root receives without a pause once it has begun.
// Cost: that of scatter/weighted_split.
// Source: Watts 1994, section 7.
#include "collectives/gather/gather.hpp"
#include "collectives/patterns/recursive_split.hpp"

namespace cohort::gather {

Schedule weighted_split(const Problem& problem, Rank me) {
  return gather_up({problem.ranks, problem.root, me, SplitRule::by_blocks(problem)}, problem, me);
}

}  // namespace cohort::gather
