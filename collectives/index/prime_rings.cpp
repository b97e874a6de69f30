// SPDX-License-Identifier: Apache-2.0
// All-to-all personalised exchange within prime factors rings: mesh_exchange on the mesh whose sides are the prime
// factors of p. With a power of two for p this is the binary exchange in log2 p rounds.
// Cost: sum (f - 1) (alpha + beta m / f) over the prime factors f of p. Blocks must be equal.
// Source: Watts 1994, sections 5.2 and 13.
#include "collectives/index/index.hpp"
#include "collectives/patterns/mesh_exchange.hpp"

namespace cohort::index {

Schedule prime_rings(const Problem& problem, Rank me) { return exchange_on(prime_mesh(problem.ranks), problem, me); }

Cost prime_rings_cost(const Problem& problem) {
  return costs::exchange_on(prime_mesh(problem.ranks), problem.blocks.largest());
}

}  // namespace cohort::index
