// SPDX-License-Identifier: Apache-2.0
// All-to-all broadcast around prime factors rings: mesh_rings on the mesh whose sides are the prime factors of p.
// With a power of two for p the rings are pairs, and this is recursive doubling; with a prime it is one ring.
// Cost: sum (f - 1) alpha + (p - 1) / p beta m over the prime factors f of p.
// Source: Watts 1994, sections 5.2 and 8.
#include "collectives/concat/concat.hpp"
#include "collectives/patterns/mesh_rings.hpp"

namespace cohort::concat {

Schedule prime_rings(const Problem& problem, Rank me) { return collect_on(prime_mesh(problem.ranks), problem, me); }

Cost prime_rings_cost(const Problem& problem) {
  return costs::collect(prime_mesh(problem.ranks), problem.blocks.largest());
}

}  // namespace cohort::concat
