// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter, then concat, around the rings of a mesh, one dimension after the other and back (Watts' DR-DC). The
// rings whose ranks are farthest apart carry the least. On a mesh of hosts by processes each process exchanges its own
// part of the vector with the other hosts.
// Cost: 2 sum (s - 1) alpha + (p - 1) / p (2 beta + gamma) m over the mesh's sides s: the least volume. The operator
// must commute. Takes the mesh; without one the ranks are a single ring.
// Source: Watts 1994, sections 6.1 and 12.
#include "collectives/patterns/mesh_rings.hpp"
#include "collectives/combine/combine.hpp"

namespace cohort::combine {

Schedule mesh_rings(const Problem& problem, Rank me) { return combine_on(mesh_of(problem), 0, problem, me); }

Cost mesh_rings_cost(const Problem& problem) { return costs::combine_on(mesh_of(problem), 0, problem); }

}  // namespace cohort::combine
