// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter by ranges of neighbouring ranks that merge, in the operands' order, for any number of ranks. For
// powers of two it is reduce_scatter/recursive_halving; other numbers need no folding.
// In a round two ranges merge; or three or five, if these divide their number. If nothing divides it, two ranges of
// unequal size merge, so that prime numbers of ranks take no longer than others. One more exchange brings each block to
// its rank.
// Cost: alpha + 1 to 2 log2 p alpha + (beta + (p - 1) / p gamma) m; up to 0.1 m more if ranges are unequal.
// Source: recursive halving is folklore (Thakur, Rabenseifner and Gropp 2005); Watts 1994, section 10, for prime
// factors; unequal ranges are ours.
#include "collectives/patterns/merging_ranges.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"

namespace cohort::reduce_scatter {

Schedule merging_ranges(const Problem& problem, Rank me) {
  const Blocks& blocks = problem.blocks;
  const Segment operand{Buffer::input, 0, blocks.total()};
  const Segment result{Buffer::output, 0, blocks.count(me)};
  Schedule schedule;
  const Segment work = problem.ranks == 1 ? operand : schedule.add_scratch(blocks.total());
  const MergingRanges ranges(problem.ranks, me);
  ranges.add_reduction(schedule, blocks, operand, work);

  const Segment mine = blocks.block(work, ranges.part());
  Round& exchange = schedule.add_round();
  if (ranges.part() == me) {
    exchange.copy(result, mine);
  } else {
    exchange.send(ranges.part(), mine);
    exchange.receive(MergingRanges::rank_of_part(problem.ranks, me), result);
  }
  return schedule;
}

Cost merging_ranges_cost(const Problem& problem) {
  const Cost cost = costs::merging_reduction(problem.blocks);
  const Count block = problem.blocks.largest();
  const Count displaced = costs::displaced_by_merging(problem.ranks);
  return displaced == 0 ? cost : cost + Cost{1, block, displaced * block, 0, displaced};
}

}  // namespace cohort::reduce_scatter
