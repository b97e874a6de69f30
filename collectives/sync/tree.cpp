// SPDX-License-Identifier: Apache-2.0
// Barrier: signals up a tree to rank 0, then down the same tree to all. It is the tree that is the fastest for the
// network's latencies, a Fibonacci tree.
// Cost: 2 ceil(log2 p) alpha without latency; else twice the first time t with f(t) >= p, where f(t) = f(t - s) + f(t -
// s - r). sync/dissemination is faster, but sends p messages in every round; this sends 2 (p - 1) in all.
// Parameters: s and r; by default in the network's proportions.
// Source: Cordsen, Pohl and Schroeder-Preikschat 1997, for the way down; see collectives/patterns/fibonacci_tree.hpp.
#include "collectives/patterns/fibonacci_tree.hpp"
#include "collectives/patterns/tree_pipeline.hpp"
#include "collectives/sync/sync.hpp"

namespace cohort::sync {
namespace {

Tree shape(const Problem& problem, Rank me) { return fibonacci_tree(problem.ranks, 0, me, postal_times(problem, 0)); }

}  // namespace

Schedule tree(const Problem& problem, Rank me) {
  const Tree tree = shape(problem, me);
  Schedule schedule = tree_fan_in(tree);
  schedule.append(tree_fan_out(tree));
  return schedule;
}

Cost tree_cost(const Problem& problem) {
  const Count overlapped = fibonacci_overlap(problem.ranks, postal_times(problem, 0));
  return {2 * shape(problem, 0).rounds, 0, 0, 0, 2 * (Count{problem.ranks} - 1), 0, 2 * overlapped};
}

}  // namespace cohort::sync
