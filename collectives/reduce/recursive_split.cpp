// SPDX-License-Identifier: Apache-2.0
// Reduction up the tree of recursive halving. Every subtree is a range of ranks, so the operands keep their order with
// any root.
// Cost: ceil(log2 p) (alpha + (beta + gamma) m).
// Source: Watts 1994; see collectives/patterns/recursive_split.hpp.
#include "collectives/patterns/tree_pipeline.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {

Schedule recursive_split(const Problem& problem, Rank me) {
  return tree_reduction(problem, halving_tree(problem.ranks, problem.root, me), me);
}

}  // namespace cohort::reduce
