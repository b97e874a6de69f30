// SPDX-License-Identifier: Apache-2.0
// All-to-all broadcast on the circulant graph: the number of blocks that a rank has doubles in every round.
// Cost: ceil(log2 p) alpha + (p - 1) beta m with blocks of m: the least of both, for any number of ranks.
// Source: CCL section 4.3 and Bruck et al. 1997; see collectives/patterns/circulant_blocks.hpp.
#include "collectives/concat/concat.hpp"
#include "collectives/patterns/circulant_blocks.hpp"

namespace cohort::concat {

Schedule circulant(const Problem& problem, Rank me) {
  const Blocks& blocks = problem.blocks;
  Schedule schedule;
  add_own_block(schedule, problem, me);
  add_circulant_concat(schedule, blocks, me, {Buffer::output, 0, blocks.total()});
  return schedule;
}

}  // namespace cohort::concat
