// SPDX-License-Identifier: Apache-2.0
// Gather straight to the root, from one rank after the other.
// Cost: (p - 1) alpha + (p - 1) / p beta m. The volume in all is the least, (p - 1) / p m: for blocks so long that
// passing them on would fill the network.
// Source: CCL section 4.2.
#include "collectives/gather/gather.hpp"
#include "collectives/peers.hpp"

namespace cohort::gather {

Schedule linear(const Problem& problem, Rank me) {
  const RootedOrder order{problem.ranks, problem.root};
  const Segment own{Buffer::input, 0, problem.blocks.count(me)};
  const auto rounds = static_cast<std::size_t>(problem.ranks - 1);
  Schedule schedule;
  schedule.add_rounds(rounds, [order, me, own, blocks = problem.blocks](std::size_t index, Round& round) {
    const Rank sender = order.rank_at(static_cast<Rank>(index) + 1);
    if (me == sender) round.send(order.root, own);
    if (me == order.root) round.receive(sender, blocks.block(Buffer::output, sender));
  });
  if (me == problem.root) schedule.add_round().copy(problem.blocks.block(Buffer::output, me), own);
  return schedule;
}

}  // namespace cohort::gather
