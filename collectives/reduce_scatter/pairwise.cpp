// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter by direct exchange: every rank receives its block of every operand and combines them in order. The
// blocks come from the ranks before this one first, the nearest before the others; then from the last rank downward. So
// two results grow to the left: one that ends with this rank's operand, and one of the ranks above it.
// Cost: (p - 1) alpha + (p - 1) / p beta m + gamma m: the least volume that keeps the operands' order.
// Source: folklore.
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/slots.hpp"
#include "collectives/patterns/take_turns.hpp"
#include "collectives/peers.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"

namespace cohort::reduce_scatter {

Schedule pairwise(const Problem& problem, Rank me) {
  const Rank p = problem.ranks;
  const Blocks& blocks = problem.blocks;
  const Count count = blocks.count(me);
  const Segment own = blocks.block(Buffer::input, me);
  const Segment result{Buffer::output, 0, count};

  Schedule schedule;
  take_turns(schedule, problem);
  const Segment above = schedule.add_scratch(me < p - 1 ? count : 0);
  const Slots received(schedule, Slots::usual, count);
  schedule.add_rounds(static_cast<std::size_t>(p - 1), [=](std::size_t index, Round& round) {
    const auto distance = static_cast<std::int64_t>(index) + 1;
    const Rank to = modulo(me + distance, p);
    const Rank from = modulo(me - distance, p);
    round.send(to, blocks.block(Buffer::input, to));
    if (distance == 1 && from < me) {
      round.receive(from, result);
      round.combine_right(result, own);
    } else if (from == p - 1) {
      round.receive(from, above);
    } else {
      const Segment arrival = received.at(static_cast<Count>(index), count);
      round.receive(from, arrival);
      round.combine_left(from < me ? result : above, arrival);
    }
  });
  Round& last = schedule.add_round();
  if (me == 0) last.copy(result, own);
  if (me < p - 1) last.combine_right(result, above);
  return schedule;
}

Cost pairwise_cost(const Problem& problem) {
  Cost cost = costs::direct(problem);
  if (problem.ranks == 1) return cost;
  cost.combined += problem.blocks.largest();  // the two results
  cost.overlapped = cost.rounds - 1;
  return cost;
}

}  // namespace cohort::reduce_scatter
