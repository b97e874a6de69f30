// SPDX-License-Identifier: Apache-2.0
// The root sends the vector to one rank after another.
// Cost: (p - 1) (alpha + beta m). The best of all trees only where latencies are much longer than alpha + beta m.
// Source: folklore; "sequential" and "centralized" in Cordsen, Pohl and Schroeder-Preikschat 1997.
#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/tree_pipeline.hpp"

namespace cohort::bcast {

Schedule linear(const Problem& problem, Rank me) {
  return tree_broadcast(problem, star(problem.ranks, problem.root, me));
}

}  // namespace cohort::bcast
