// SPDX-License-Identifier: Apache-2.0
// Reduction in blocks up a binary tree. Every rank stands between its left and its right subtree, so that the operands
// keep their order. Any rank may be the root: it has such a tree on either side.
// Cost: about 2 (n + log2 p) (alpha + (beta + gamma) m / n) with n blocks.
// Parameter: blocks.
// Source: folklore; Sanders, Speck and Traeff 2009, section 2; any root: ours.
#include "collectives/patterns/tree_pipeline.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {

Schedule pipelined_binary(const Problem& problem, Rank me) {
  const Tree tree = in_order_tree(problem.ranks, problem.root, me);
  return tree_reduction(problem, tree, me, tree_blocks(problem, tree));
}

Cost pipelined_binary_cost(const Problem& problem) {
  const Tree tree = in_order_tree(problem.ranks, problem.root, 0);
  return tree_cost(problem, tree, tree_blocks(problem, tree));
}

}  // namespace cohort::reduce
