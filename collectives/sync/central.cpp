// SPDX-License-Identifier: Apache-2.0
// Barrier: every rank signals to rank 0, which then signals to every rank.
// Cost: 2 (p - 1) alpha.
// Source: folklore; "centralized" in Cordsen, Pohl and Schroeder-Preikschat 1997.
#include <algorithm>

#include "collectives/patterns/tree_pipeline.hpp"
#include "collectives/sync/sync.hpp"

namespace cohort::sync {

Schedule central(const Problem& problem, Rank me) {
  const Tree tree = star(problem.ranks, 0, me);
  Schedule schedule = tree_fan_in(tree);
  schedule.append(tree_fan_out(tree));
  return schedule;
}

Cost central_cost(const Problem& problem) {
  const Count messages = 2 * (Count{problem.ranks} - 1);
  return {messages, 0, 0, 0, messages, 0, std::max<Count>(messages - 2, 0)};
}

}  // namespace cohort::sync
