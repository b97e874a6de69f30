// SPDX-License-Identifier: Apache-2.0
// Reduction in blocks along a chain of ranks that ends at the root. If the operator does not commute, an inner root has
// two chains, one from each end, and receives from both in turn.
// Cost: (n + p - 2) (alpha + (beta + gamma) m / n) with n blocks; the best n gives (sqrt((beta + gamma) m) +
// sqrt((p - 2) alpha))^2. With two chains, the longer one of l ranks, (2 n + l - 2) (alpha + (beta + gamma) m / n):
// the root receives the whole vector from either side.
// Parameter: blocks.
// Source: folklore; Sanders, Speck and Traeff 2009, section 2; two chains: ours.
#include "collectives/patterns/tree_pipeline.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {
namespace {

Tree shape(const Problem& problem, Rank me) {
  const Rank p = problem.ranks;
  if (!problem.commutative || problem.root == p - 1) return chains(p, problem.root, me);
  const RootedOrder order{p, problem.root};
  return placed(chains(p, 0, order.position_of(me)), order);
}

}  // namespace

Schedule chain(const Problem& problem, Rank me) {
  const Tree tree = shape(problem, me);
  return tree_reduction(problem, tree, me, tree_blocks(problem, tree));
}

Cost chain_cost(const Problem& problem) {
  const Tree tree = shape(problem, 0);
  return tree_cost(problem, tree, tree_blocks(problem, tree));
}

}  // namespace cohort::reduce
