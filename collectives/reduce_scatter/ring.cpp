// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter around a ring. The partial result for a rank's block starts at the rank right behind it. It grows at
// every rank on its way around, and ends at its own rank.
// Cost: (p - 1) alpha + (p - 1) / p (beta + gamma) m: the least volume, with neighbours only. The operator must
// commute.
// Source: folklore; Watts 1994, section 10 ("bucket"); see collectives/patterns/mesh_rings.hpp.
#include "collectives/patterns/mesh_rings.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"

namespace cohort::reduce_scatter {

Schedule ring(const Problem& problem, Rank me) { return reduce_on(Mesh({problem.ranks}), problem, me); }

}  // namespace cohort::reduce_scatter
