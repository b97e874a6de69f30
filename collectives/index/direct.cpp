// SPDX-License-Identifier: Apache-2.0
// All-to-all personalised exchange, everything at once: each rank posts all its messages, beginning with the rank after
// it, and the network orders them.
// Cost: alpha (p - 1) + (p - 1) / p beta m if the messages of a rank leave one after the other; less with several
// ports. Sizes may differ for every pair: each rank knows its own.
// Source: Watts 1994 (direct send).
#include "collectives/index/index.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/peers.hpp"

namespace cohort::index {

Schedule direct(const Problem& problem, Rank me) {
  Schedule schedule;
  Round& round = schedule.add_round();
  for (std::int64_t distance = 1; distance < problem.ranks; ++distance) {
    const Rank to = modulo(me + distance, problem.ranks);
    const Rank from = modulo(me - distance, problem.ranks);
    round.send(to, problem.blocks.block(Buffer::input, to));
    round.receive(from, problem.receive_blocks.block(Buffer::output, from));
  }
  round.copy(problem.receive_blocks.block(Buffer::output, me), problem.blocks.block(Buffer::input, me));
  return schedule;
}

Cost direct_cost(const Problem& problem) {
  Cost cost = costs::direct(problem);
  if (problem.ranks == 1) return cost;
  cost.more_starts = cost.rounds - 1;
  cost.rounds = 1;
  return cost;
}

}  // namespace cohort::index
