// SPDX-License-Identifier: Apache-2.0
// Inclusive or exclusive prefix up and down a binomial tree, whose root is the last rank of the largest power of two.
// Partial results of 2, 4, 8, ... ranks go up; then each subtree receives the result of all ranks before it. It is
// prefix/hybrid with one group.
// Cost: up to 2 ceil(log2 p) - 1 rounds of alpha + (beta + gamma) m; the exclusive one combines twice a round. Fewer
// than 2 p messages in all, where prefix/doubling sends about p log2 p.
// Source: CCL, section 4.2; Ladner and Fischer 1980.
#include "collectives/peers.hpp"
#include "collectives/prefix/prefix.hpp"

namespace cohort::prefix {
namespace {

Problem with_one_group(Problem problem) {
  problem.parameters.set("k", ceil_log2(problem.ranks));
  return problem;
}

}  // namespace

Schedule tree(const Problem& problem, Rank me) { return hybrid(with_one_group(problem), me); }

Cost tree_cost(const Problem& problem) { return hybrid_cost(with_one_group(problem)); }

}  // namespace cohort::prefix
