// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter, then concat, around one ring: every rank talks to its two neighbours only.
// Cost: 2 (p - 1) alpha + (p - 1) / p (2 beta + gamma) m: the least volume. The operator must commute.
// Source: folklore; Watts 1994, section 12 ("bucket"); see collectives/patterns/mesh_rings.hpp.
#include "collectives/combine/combine.hpp"
#include "collectives/patterns/mesh_rings.hpp"

namespace cohort::combine {

Schedule ring(const Problem& problem, Rank me) { return combine_on(Mesh({problem.ranks}), 0, problem, me); }

Cost ring_cost(const Problem& problem) { return costs::combine_on(Mesh({problem.ranks}), 0, problem); }

}  // namespace cohort::combine
