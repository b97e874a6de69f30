// SPDX-License-Identifier: Apache-2.0
// All-to-all broadcast around a ring: every rank talks to its two neighbours only, and passes on the block that it got
// last.
// Cost: (p - 1) (alpha + beta m) with blocks of m: the least volume, for networks where neighbours are near.
// Source: folklore; Watts 1994 ("bucket"); see collectives/patterns/mesh_rings.hpp.
#include "collectives/concat/concat.hpp"
#include "collectives/patterns/mesh_rings.hpp"

namespace cohort::concat {

Schedule ring(const Problem& problem, Rank me) { return collect_on(Mesh({problem.ranks}), problem, me); }

}  // namespace cohort::concat
