// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter around prime factors rings: mesh_rings on the mesh whose sides are the prime factors of p. With a
// power of two for p this is recursive halving; with a prime it is one ring.
// Cost: sum (f - 1) alpha + (p - 1) / p (beta + gamma) m over the prime factors f of p. The operator must commute.
// Source: Watts 1994, sections 5.2 and 10.
#include "collectives/patterns/mesh_rings.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"

namespace cohort::reduce_scatter {

Schedule prime_rings(const Problem& problem, Rank me) { return reduce_on(prime_mesh(problem.ranks), problem, me); }

Cost prime_rings_cost(const Problem& problem) {
  return costs::distributed_reduction(prime_mesh(problem.ranks), problem.blocks.largest());
}

}  // namespace cohort::reduce_scatter
