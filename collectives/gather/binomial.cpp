// SPDX-License-Identifier: Apache-2.0
// Gather up a binomial tree. Positions count from the root. A position whose number ends in a one and k zeros sends in
// round k. It sends all that it has gathered to the position 2^k before it.
// Cost: ceil(log2 p) alpha + (p - 1) / p beta m with equal blocks: the least of both; about (log2 p) / 2 m in all.
// Source: CCL section 4.2.
#include "collectives/gather/gather.hpp"
#include "collectives/patterns/binomial_blocks.hpp"

namespace cohort::gather {

Schedule binomial(const Problem& problem, Rank me) {
  Schedule schedule;
  const BinomialBlocks blocks(problem.blocks, problem.root, me, Buffer::output, Buffer::input, schedule);
  for (int level = 0; level < blocks.levels(); ++level) {
    Round& round = schedule.add_round();
    const BinomialBlocks::Edge edge = blocks.edge(level);
    if (edge.end == BinomialBlocks::Edge::End::child) round.send(edge.peer, edge.blocks);
    if (edge.end == BinomialBlocks::Edge::End::parent) round.receive(edge.peer, edge.blocks);
  }
  if (blocks.is_root()) schedule.add_round().copy(problem.blocks.block(Buffer::output, me), blocks.own());
  return schedule;
}

}  // namespace cohort::gather
