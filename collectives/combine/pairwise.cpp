// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter by direct exchange, then concat around a ring: the least volume that keeps the operands' order, for
// long vectors and any number of ranks.
// Cost: 2 (p - 1) alpha + (p - 1) / p 2 beta m + gamma m.
// Source: folklore; the ring: Watts 1994.
#include "collectives/combine/combine.hpp"
#include "collectives/concat/concat.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/embedding.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"

namespace cohort::combine {

Schedule pairwise(const Problem& problem, Rank me) {
  Problem parts = in_blocks(problem);
  const Segment own = parts.blocks.block(Buffer::output, me);

  Schedule schedule;
  // In place, the output holds this rank's operand until the end.
  const Segment result = problem.in_place ? schedule.add_scratch(own.count) : own;
  append_part(schedule, reduce_scatter::pairwise(parts, me),
              {.input = problem.all(operand_buffer(problem, me)), .output = result});
  if (result != own) schedule.add_round().copy(own, result);
  parts.in_place = true;
  schedule.append(concat::ring(parts, me));
  return schedule;
}

Cost pairwise_cost(const Problem& problem) {
  const Problem reduction = in_blocks(problem);
  Problem collection = reduction;
  collection.operation = Operation::concat;
  return reduce_scatter::pairwise_cost(reduction) + costs::direct(collection);
}

}  // namespace cohort::combine
