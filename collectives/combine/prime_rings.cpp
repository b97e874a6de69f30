// SPDX-License-Identifier: Apache-2.0
// All-to-all reduction around prime factors rings: on the mesh whose sides are the prime factors of p, every ring
// circulates whole vectors. With a power of two for p this is recursive doubling; with a prime it is one ring of p - 1
// rounds. Every rank combines the arrivals in rank order, so the operator need not commute.
// Cost: sum (f - 1) (alpha + (beta + gamma) m) over the prime factors f of p; and gamma m more for each f > 2 if the
// operator does not commute.
// Source: Watts 1994, sections 5.2 and 12; the order is ours.
#include "collectives/combine/combine.hpp"
#include "collectives/patterns/mesh_rings.hpp"

namespace cohort::combine {

Schedule prime_rings(const Problem& problem, Rank me) {
  const Mesh mesh = prime_mesh(problem.ranks);
  return combine_on(mesh, mesh.dimensions(), problem, me);
}

Cost prime_rings_cost(const Problem& problem) {
  const Mesh mesh = prime_mesh(problem.ranks);
  return costs::combine_on(mesh, mesh.dimensions(), problem);
}

}  // namespace cohort::combine
