// SPDX-License-Identifier: Apache-2.0
// Binomial-tree broadcast.
// In each round every rank that has the vector sends it to one that has not: 1, 2, 4, ... ranks have it.
// Cost: ceil(log2 p) (alpha + beta m); every rank but the root receives once.
// Source: CCL, section 4.2 (recursive doubling).
#include "collectives/bcast/bcast.hpp"
#include "collectives/peers.hpp"

namespace cohort::bcast {

Schedule binomial(const Problem& problem, Rank me) {
  const RootedOrder order{problem.ranks, problem.root};
  const Rank position = order.position_of(me);

  Schedule schedule;
  for (std::int64_t holders = 1; holders < problem.ranks; holders *= 2) {
    Round& round = schedule.add_round();
    if (position < holders) {
      if (position + holders < problem.ranks) {
        round.send(order.rank_at(static_cast<Rank>(position + holders)), problem.all());
      }
    } else if (position < 2 * holders) {
      round.receive(order.rank_at(static_cast<Rank>(position - holders)), problem.all());
    }
  }
  return schedule;
}

}  // namespace cohort::bcast
