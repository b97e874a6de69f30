// SPDX-License-Identifier: Apache-2.0
// Inclusive prefix: with every round a rank's result covers twice as many of the ranks before it. It is prefix/hybrid
// with groups of one.
// Cost: ceil(log2 p) (alpha + (beta + gamma) m).
// Source: Hillis and Steele 1986; CCL section 4.2.
#include "collectives/prefix/prefix.hpp"

namespace cohort::prefix {
namespace {

Problem in_groups_of_one(Problem problem) {
  problem.parameters.set("k", 0);
  return problem;
}

}  // namespace

Schedule doubling(const Problem& problem, Rank me) { return hybrid(in_groups_of_one(problem), me); }

Cost doubling_cost(const Problem& problem) { return hybrid_cost(in_groups_of_one(problem)); }

}  // namespace cohort::prefix
