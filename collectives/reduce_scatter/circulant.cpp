// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter on the circulant graph. In every round a rank sends its partial results for half of its remaining
// blocks to a rank ahead. In the end only its own block is left. The operator must commute.
// Cost: ceil(log2 p) alpha + (p - 1) / p (beta + gamma) m: the least of both, for any number of ranks.
// Source: Traeff, arXiv 2410.14234.
#include "collectives/patterns/circulant_blocks.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"

namespace cohort::reduce_scatter {

Schedule circulant(const Problem& problem, Rank me) {
  const Blocks& blocks = problem.blocks;
  const Segment operand{Buffer::input, 0, blocks.total()};
  Schedule schedule;
  const Segment work = problem.ranks == 1 ? operand : schedule.add_scratch(blocks.total());
  add_circulant_reduce_scatter(schedule, blocks, me, operand, work);
  schedule.add_round().copy({Buffer::output, 0, blocks.count(me)}, blocks.block(work, me));
  return schedule;
}

}  // namespace cohort::reduce_scatter
