// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter, then concat, on the circulant graph, for any number of ranks: reduce_scatter/circulant, and
// concat/circulant over the same edges back. The operator must commute.
// Cost: 2 ceil(log2 p) alpha + 2 (p - 1) / p beta m + (p - 1) / p gamma m: the least volume possible.
// Source: Traeff, arXiv 2410.14234.
#include "collectives/combine/combine.hpp"
#include "collectives/patterns/circulant_blocks.hpp"
#include "collectives/patterns/closed_forms.hpp"

namespace cohort::combine {

Schedule circulant(const Problem& problem, Rank me) {
  const auto blocks = Blocks::split(problem.ranks, problem.count);
  const Segment operand = problem.all(operand_buffer(problem, me));

  Schedule schedule;
  add_circulant_reduce_scatter(schedule, blocks, me, operand, problem.all());
  add_circulant_concat(schedule, blocks, me, problem.all());
  if (problem.ranks == 1 && operand != problem.all()) schedule.add_round().copy(problem.all(), operand);
  return schedule;
}

Cost circulant_cost(const Problem& problem) {
  Problem part = problem;
  part.blocks = Blocks(problem.ranks, problem.count / problem.ranks);
  part.operation = Operation::reduce_scatter;
  const Cost reduction = costs::few_rounds(part);
  part.operation = Operation::concat;
  return reduction + costs::few_rounds(part);
}

}  // namespace cohort::combine
