// SPDX-License-Identifier: Apache-2.0
// Broadcast along two binary trees at once. The root deals the blocks out in turn to two trees over the other ranks.
// The inner ranks of one tree are the leaves of the other. The edges are coloured so that every rank sends and receives
// a block in (nearly) every round.
// Cost: (n + d) (alpha + beta m / n) with n blocks, where d is at most 2 ceil(log2 p) - 1: the limit for long vectors
// is beta m, half of what a pipelined binary tree takes. A rank has at most four neighbours; bcast/circulant takes
// fewer rounds, but has 2 ceil(log2 p) neighbours. Any root and any number of ranks. Every rank computes its part in
// O(log p) steps.
// Parameter: blocks, of both trees together.
// Source: Sanders, Speck and Traeff 2009, sections 3 and 4.1; see collectives/patterns/two_trees.hpp.
#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/two_tree_pipeline.hpp"
#include "collectives/peers.hpp"

namespace cohort::bcast {
namespace {

TwoTrees trees_of(const Problem& problem) { return {problem.ranks - 1, TwoTrees::Order::any}; }

}  // namespace

Schedule two_tree(const Problem& problem, Rank me) {
  Schedule schedule;
  if (problem.ranks == 1) return schedule;
  const TwoTrees trees = trees_of(problem);
  const auto blocks = Blocks::split(two_tree_blocks(problem, trees), problem.count);
  const RootedOrder order{problem.ranks, problem.root};
  const TwoTreePipeline pipeline(trees, order.position_of(me), blocks.size());
  pipeline.add_broadcast(schedule, order, blocks);
  return schedule;
}

Cost two_tree_cost(const Problem& problem) {
  return problem.ranks == 1 ? Cost{} : costs::two_tree(problem, trees_of(problem));
}

}  // namespace cohort::bcast
