// SPDX-License-Identifier: Apache-2.0
// Reduction to rank 0 along two binary trees, then broadcast from there along two more. The blocks become complete from
// first to last, and each goes out again at once, so the two halves overlap while their ports are free.
// Cost: 2 (n + d) (alpha + beta m / n) + (n + d) gamma m / n with n blocks, where d is at most 2 ceil(log2 p): the
// limit for long vectors is (2 beta + gamma) m, and the operands keep their order.
// Parameter: blocks, of both trees together.
// Source: Sanders, Speck and Traeff 2009, section 4; see reduce/two_tree and bcast/two_tree.
#include "collectives/bcast/bcast.hpp"
#include "collectives/combine/combine.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::combine {

Schedule two_tree(const Problem& problem, Rank me) {
  Problem rooted = problem;
  rooted.root = 0;
  Schedule schedule = reduce::two_tree(rooted, me);
  schedule.append(bcast::two_tree(rooted, me));
  return schedule;
}

Cost two_tree_cost(const Problem& problem) {
  Cost broadcast = bcast::two_tree_cost(problem);
  broadcast.combined = 0;
  return reduce::two_tree_cost(problem) + broadcast;
}

}  // namespace cohort::combine
