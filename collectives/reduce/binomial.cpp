// SPDX-License-Identifier: Apache-2.0
// Reduction up a binomial tree. Ranks whose distance from the root is an odd multiple of 2^k send in round k. They send
// their partial result to the rank 2^k nearer, and are done.
// Cost: ceil(log2 p) (alpha + (beta + gamma) m). The operands keep their order with rank 0 or p - 1 for root;
// reduce/recursive_split keeps it with any root.
// Source: folklore; CCL section 4.2.
#include "collectives/patterns/tree_pipeline.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {
namespace {

// Positions count from the root, which is 0.
Tree binomial_tree(Rank ranks, Rank position) {
  const int rounds = ceil_log2(ranks);
  Tree tree;
  tree.rounds = rounds;
  tree.is_root = position == 0;
  for (int k = rounds - 1; k >= 0; --k) {
    const Rank distance = Rank{1} << k;
    const TreeEdge edge{position ^ distance, rounds - 1 - k};
    if (position % distance != 0) continue;
    if ((position & distance) != 0) {
      tree.up = edge;
    } else if (edge.peer < ranks) {
      tree.down.push_back(edge);
    }
  }
  return tree;
}

}  // namespace

Schedule binomial(const Problem& problem, Rank me) {
  const Rank last = problem.ranks - 1;
  // From rank p - 1 backward, so that there, too, a subtree is a range of ranks.
  if (problem.root == last) {
    Tree tree = binomial_tree(problem.ranks, last - me);
    tree.up.peer = last - tree.up.peer;
    for (TreeEdge& edge : tree.down) edge.peer = last - edge.peer;
    return tree_reduction(problem, tree, me);
  }
  const RootedOrder order{problem.ranks, problem.root};
  return tree_reduction(problem, placed(binomial_tree(problem.ranks, order.position_of(me)), order), me);
}

}  // namespace cohort::reduce
