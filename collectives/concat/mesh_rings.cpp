// SPDX-License-Identifier: Apache-2.0
// All-to-all broadcast around the rings of a mesh, one dimension after the other (Watts' collect over dimensional
// rings). In each dimension a rank passes on what its ring has collected so far. The rings whose ranks are farthest
// apart come first, while blocks are few. On a mesh of hosts by processes each block enters a host once.
// Cost: sum (s - 1) alpha + (p - 1) / p beta m over the mesh's sides s: the least volume. A mesh of partly factored
// dimensions gives Watts' hybrid of both kinds of rings. Takes the mesh; without one the ranks are a single ring.
// Source: Watts 1994, sections 6.1 and 8.
#include "collectives/patterns/mesh_rings.hpp"
#include "collectives/concat/concat.hpp"

namespace cohort::concat {

Schedule mesh_rings(const Problem& problem, Rank me) { return collect_on(mesh_of(problem), problem, me); }

Cost mesh_rings_cost(const Problem& problem) { return costs::collect(mesh_of(problem), problem.blocks.largest()); }

}  // namespace cohort::concat
