// SPDX-License-Identifier: Apache-2.0
// Broadcast in blocks along a chain of all ranks: the linear pipeline.
// Cost: (n + p - 2) (alpha + beta m / n) with n blocks; the best n gives (sqrt(beta m) + sqrt((p - 2) alpha))^2.
// Parameter: blocks.
// Source: folklore; Sanders, Speck and Traeff 2009, section 2; Watts 1994.
#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/tree_pipeline.hpp"

namespace cohort::bcast {

Schedule chain(const Problem& problem, Rank me) {
  const RootedOrder order{problem.ranks, problem.root};
  const Tree tree = placed(chains(problem.ranks, 0, order.position_of(me)), order);
  return tree_broadcast(problem, tree, tree_blocks(problem, tree));
}

}  // namespace cohort::bcast
