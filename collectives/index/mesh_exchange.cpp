// SPDX-License-Identifier: Apache-2.0
// All-to-all personalised exchange over the dimensions of a mesh. In each dimension a rank sends every other rank of
// its ring all blocks for that rank's part of the mesh. They are passed on in the next dimension.
// Cost: sum (s - 1) (alpha + beta m / s) over the mesh's sides s: fewer start-ups than index/pairwise for up to d times
// its volume. Blocks must be equal: no rank knows the sizes of what it passes on. Takes the mesh; without one this is
// index/pairwise.
// Source: Watts 1994, section 13; see collectives/patterns/mesh_exchange.hpp.
#include "collectives/patterns/mesh_exchange.hpp"

#include "collectives/index/index.hpp"

namespace cohort::index {

Schedule mesh_exchange(const Problem& problem, Rank me) { return exchange_on(mesh_of(problem), problem, me); }

Cost mesh_exchange_cost(const Problem& problem) {
  return costs::exchange_on(mesh_of(problem), problem.blocks.largest());
}

}  // namespace cohort::index
