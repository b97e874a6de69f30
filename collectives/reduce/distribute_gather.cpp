// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter on the circulant graph, then gather of the blocks to the root: for long vectors with any number of
// ranks, where combining is dear. The operator must commute.
// Cost: 2 ceil(log2 p) alpha + (p - 1) / p (2 beta + gamma) m.
// Source: Watts 1994 (distributed reduction and gather); the reduce-scatter: Traeff, arXiv 2410.14234.
#include "collectives/gather/gather.hpp"
#include "collectives/patterns/binomial_blocks.hpp"
#include "collectives/patterns/circulant_blocks.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/embedding.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {

Schedule distribute_gather(const Problem& problem, Rank me) {
  const Problem gathering = in_blocks(problem);
  const Blocks& blocks = gathering.blocks;
  const Segment operand = problem.all(operand_buffer(problem, me));

  Schedule schedule;
  const Segment work = me == problem.root ? problem.all() : schedule.add_scratch(problem.count);
  add_circulant_reduce_scatter(schedule, blocks, me, operand, work);
  append_part(schedule, gather::binomial(gathering, me), {.input = blocks.block(work, me)});
  if (problem.ranks == 1 && operand != work) schedule.add_round().copy(work, operand);
  return schedule;
}

Cost distribute_gather_cost(const Problem& problem) {
  return costs::few_rounds(in_blocks(problem)) + costs::binomial_blocks(in_blocks(problem));
}

}  // namespace cohort::reduce
