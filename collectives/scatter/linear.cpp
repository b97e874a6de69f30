// SPDX-License-Identifier: Apache-2.0
// Scatter straight from the root, to one rank after the other.
// Cost: (p - 1) alpha + (p - 1) / p beta m. The volume in all is the least, (p - 1) / p m: for blocks so long that
// passing them on would fill the network.
// Source: CCL section 4.2.
#include "collectives/peers.hpp"
#include "collectives/scatter/scatter.hpp"

namespace cohort::scatter {

Schedule linear(const Problem& problem, Rank me) {
  const RootedOrder order{problem.ranks, problem.root};
  const Segment own{Buffer::output, 0, problem.blocks.count(me)};
  const auto rounds = static_cast<std::size_t>(problem.ranks - 1);
  Schedule schedule;
  schedule.add_rounds(rounds, [order, me, own, blocks = problem.blocks](std::size_t index, Round& round) {
    const Rank receiver = order.rank_at(static_cast<Rank>(index) + 1);
    if (me == order.root) round.send(receiver, blocks.block(Buffer::input, receiver));
    if (me == receiver) round.receive(order.root, own);
  });
  if (me == problem.root) schedule.add_round().copy(own, problem.blocks.block(Buffer::input, me));
  return schedule;
}

}  // namespace cohort::scatter
