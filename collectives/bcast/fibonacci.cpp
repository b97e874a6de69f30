// SPDX-License-Identifier: Apache-2.0
// Broadcast down a Fibonacci tree: every rank that has the vector sends it on as long as the receivers can still help.
// The fastest of all trees on a network where a message arrives r after its sender is done with it.
// Cost: the first time t with f(t) >= p, where f(t) = f(t - s) + f(t - s - r), with s = alpha + beta m; ceil(log2 p) s
// with r = 0.
// Parameters: s and r; by default in the network's proportions.
// Source: Cordsen, Pohl and Schroeder-Preikschat 1997; see collectives/patterns/fibonacci_tree.hpp.
#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/fibonacci_tree.hpp"
#include "collectives/patterns/tree_pipeline.hpp"

namespace cohort::bcast {

Schedule fibonacci(const Problem& problem, Rank me) {
  return tree_broadcast(problem, fibonacci_tree(problem.ranks, problem.root, me, postal_times(problem, problem.count)));
}

}  // namespace cohort::bcast
