// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix by distances 1, 2, 3, 6, 12, ...: exclusive_prefix/window with the target 3 * 2^i. Only the first
// two rounds send more than the window's own result; after them a round takes one combination.
// Cost: ceil(log2(p - 1) + log2(4/3)) (alpha + (beta + gamma) m), at most one round more than the fewest.
// Source: Traeff, arXiv 2507.04785 ("123-doubling").
#include "collectives/exclusive_prefix/exclusive_prefix.hpp"

namespace cohort::exclusive_prefix {
namespace {

Rank one_two_three_target(Rank ranks) {
  if (ranks <= 2) return ranks - 1;
  Rank target = 3;
  while (target < ranks - 1) target *= 2;
  return target;
}

}  // namespace

Schedule one_two_three(const Problem& problem, Rank me) {
  return window_to(one_two_three_target(problem.ranks), problem, me);
}

Cost one_two_three_cost(const Problem& problem) { return window_to_cost(one_two_three_target(problem.ranks), problem); }

}  // namespace cohort::exclusive_prefix
