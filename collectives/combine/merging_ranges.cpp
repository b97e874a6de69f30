// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter and concat by ranges of neighbouring ranks that merge, in the operands' order, for any number of
// ranks. For powers of two it is combine/butterfly; other numbers need no folding.
// In a round two ranges merge; or three or five, if these divide their number. If nothing divides it, two ranges of
// unequal size merge, so that prime numbers of ranks take no longer than others. The concat runs the same rounds
// backward.
// Cost: 2 to 4 log2 p alpha + (p - 1) / p (2 beta + gamma) m; up to 0.2 m more if ranges are unequal.
// Source: Rabenseifner's algorithm for the powers of two; Watts 1994, section 12, for prime factors; unequal ranges are
// ours.
#include "collectives/patterns/merging_ranges.hpp"
#include "collectives/combine/combine.hpp"

namespace cohort::combine {

Schedule merging_ranges(const Problem& problem, Rank me) {
  if (problem.ranks == 1) return alone(problem);
  const MergingRanges ranges(problem.ranks, me);
  const Blocks blocks = Blocks::split(problem.ranks, problem.count);
  Schedule schedule;
  ranges.add_reduction(schedule, blocks, problem.all(operand_buffer(problem, me)), problem.all());
  ranges.add_collect(schedule, blocks, problem.all());
  return schedule;
}

Cost merging_ranges_cost(const Problem& problem) {
  const Blocks blocks = Blocks::split(problem.ranks, problem.count);
  return costs::merging_reduction(blocks) + costs::merging_collect(blocks);
}

}  // namespace cohort::combine
