// SPDX-License-Identifier: Apache-2.0
// The root receives the vectors of all ranks, one after the other. The ranks behind it come first, then the ranks
// before it, each time the nearest first. So the operands keep their order with any root.
// Cost: (p - 1) (alpha + (beta + gamma) m).
// Source: folklore.
#include "collectives/patterns/tree_pipeline.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {

Schedule linear(const Problem& problem, Rank me) {
  return tree_reduction(problem, star(problem.ranks, problem.root, me), me);
}

}  // namespace cohort::reduce
