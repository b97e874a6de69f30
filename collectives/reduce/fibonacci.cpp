// SPDX-License-Identifier: Apache-2.0
// Reduction up a Fibonacci tree: the broadcast played backward, which takes as long. Every subtree is a range of ranks,
// so the operands keep their order with any root.
// Cost: the first time t with f(t) >= p, where f(t) = f(t - s) + f(t - s - r), with s = alpha + beta m, and the
// combining; ceil(log2 p) s with r = 0.
// Parameters: s and r; by default in the network's proportions.
// Source: Cordsen, Pohl and Schroeder-Preikschat 1997, for the broadcast; see collectives/patterns/fibonacci_tree.hpp.
#include "collectives/patterns/fibonacci_tree.hpp"
#include "collectives/patterns/tree_pipeline.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {

Schedule fibonacci(const Problem& problem, Rank me) {
  const PostalTimes times = postal_times(problem, problem.count);
  return tree_reduction(problem, fibonacci_tree(problem.ranks, problem.root, me, times), me);
}

}  // namespace cohort::reduce
