// SPDX-License-Identifier: Apache-2.0
// Exclusive prefix along a chain of ranks, in blocks: for long vectors.
// Cost: (n + p - 2) (alpha + (beta + gamma) m / n) with n blocks; the best n gives (sqrt(beta m) + sqrt((p - 2)
// alpha))^2.
// Parameter: blocks.
// Source: folklore (linear pipeline); Sanders, Speck and Traeff 2009, section 2.
#include <algorithm>

#include "collectives/exclusive_prefix/exclusive_prefix.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/patterns/slots.hpp"

namespace cohort::exclusive_prefix {

Schedule chain(const Problem& problem, Rank me) {
  const Rank p = problem.ranks;
  const auto blocks = Blocks::split(pipeline_blocks(problem, p - 2), problem.count);
  const Buffer operand = operand_buffer(problem, me);
  const bool is_inner = 0 < me && me < p - 1;

  Schedule schedule;
  const Count slots = is_inner ? std::min<Count>(Slots::usual, blocks.size()) : 0;
  const Slots with_own(schedule, slots, blocks.largest());
  const Slots received(schedule, problem.in_place ? slots : 0, blocks.largest());
  // Rank r sends block b in round r + b.
  const std::size_t rounds = p == 1 ? 0 : static_cast<std::size_t>(blocks.size() + p - 2);
  schedule.add_rounds(rounds, [=](std::size_t index, Round& round) {
    const auto sent = static_cast<Count>(index) - me;
    if (me < p - 1 && 0 <= sent && sent < blocks.size()) {
      const Segment own = blocks.block(operand, static_cast<Rank>(sent));
      round.send(me + 1, me == 0 ? own : with_own.at(sent, own.count));
    }
    const Count arriving = sent + 1;
    if (me == 0 || arriving < 0 || arriving >= blocks.size()) return;
    const Segment own = blocks.block(operand, static_cast<Rank>(arriving));
    const Segment result = blocks.block(Buffer::output, static_cast<Rank>(arriving));
    // In place the operand must not be overwritten before it is combined.
    const Segment arrival = is_inner && own == result ? received.at(arriving, result.count) : result;
    round.receive(me - 1, arrival);
    if (!is_inner) return;
    const Segment next = with_own.at(arriving, own.count);
    round.copy(next, arrival);
    round.combine_right(next, own);
    if (arrival != result) round.copy(result, arrival);
  });
  return schedule;
}

Cost chain_cost(const Problem& problem) {
  Cost cost = costs::chain(problem);
  // The last rank does not combine: it sends nothing on.
  if (cost.rounds > 0) cost.combined -= cost.volume / cost.rounds;
  if (problem.ranks == 2) cost.combined = 0;
  return cost;
}

}  // namespace cohort::exclusive_prefix
