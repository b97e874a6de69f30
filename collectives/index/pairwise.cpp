// SPDX-License-Identifier: Apache-2.0
// All-to-all personalised exchange: in each round a rank sends to one partner and receives from another.
// Cost: (p - 1) alpha + (p - 1) / p beta m: the least volume. Sizes may differ for every pair: each rank knows its own.
// Source: CCL section 4.2 (radix p); Watts 1994.
#include <algorithm>

#include "collectives/index/index.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/take_turns.hpp"
#include "collectives/peers.hpp"

namespace cohort::index {

Schedule pairwise(const Problem& problem, Rank me) {
  Schedule schedule;
  take_turns(schedule, problem);
  schedule.add_rounds(
      static_cast<std::size_t>(problem.ranks),
      [p = problem.ranks, me, out = problem.blocks, in = problem.receive_blocks](std::size_t distance, Round& round) {
        const Rank to = modulo(me + static_cast<std::int64_t>(distance), p);
        const Rank from = modulo(me - static_cast<std::int64_t>(distance), p);
        if (distance == 0) {
          round.copy(in.block(Buffer::output, me), out.block(Buffer::input, me));
        } else {
          round.send(to, out.block(Buffer::input, to));
          round.receive(from, in.block(Buffer::output, from));
        }
      });
  return schedule;
}

Cost pairwise_cost(const Problem& problem) {
  Cost cost = costs::direct(problem);
  cost.overlapped = std::max<Count>(cost.rounds - 1, 0);
  return cost;
}

}  // namespace cohort::index
