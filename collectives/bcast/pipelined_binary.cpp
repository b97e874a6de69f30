// SPDX-License-Identifier: Apache-2.0
// Broadcast in blocks down a binary tree. Each rank sends a block to one child, then to the other.
// Cost: about 2 (n - 1 + log2 p) (alpha + beta m / n) with n blocks, so 2 beta m for long vectors: a rank receives only
// in every other round, and the leaves, half of all ranks, never send.
// Parameter: blocks.
// Source: folklore; Sanders, Speck and Traeff 2009, section 2.
#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/tree_pipeline.hpp"

namespace cohort::bcast {
namespace {

// With the root in the middle both its subtrees are low.
Tree shape(const Problem& problem, Rank me) {
  const Rank p = problem.ranks;
  const RootedOrder order{p, modulo(problem.root - p / 2, p)};
  return placed(in_order_tree(p, p / 2, order.position_of(me)), order);
}

}  // namespace

Schedule pipelined_binary(const Problem& problem, Rank me) {
  const Tree tree = shape(problem, me);
  return tree_broadcast(problem, tree, tree_blocks(problem, tree));
}

Cost pipelined_binary_cost(const Problem& problem) {
  const Tree tree = shape(problem, 0);
  return tree_cost(problem, tree, tree_blocks(problem, tree));
}

}  // namespace cohort::bcast
