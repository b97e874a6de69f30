// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter around the rings of a mesh, one dimension after the other (Watts' distributed reduction over
// dimensional rings): concat/mesh_rings played backward. In each ring the ranks reduce all blocks of the ranks that
// share their other coordinates. The rings whose ranks are next to one another come first, while there is much to send.
// Cost: sum (s - 1) alpha + (p - 1) / p (beta + gamma) m over the mesh's sides s: the least volume. The operator must
// commute. Takes the mesh; without one the ranks are a single ring.
// Source: Watts 1994, sections 6.1 and 10.
#include "collectives/patterns/mesh_rings.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"

namespace cohort::reduce_scatter {

Schedule mesh_rings(const Problem& problem, Rank me) { return reduce_on(mesh_of(problem), problem, me); }

Cost mesh_rings_cost(const Problem& problem) {
  return costs::distributed_reduction(mesh_of(problem), problem.blocks.largest());
}

}  // namespace cohort::reduce_scatter
