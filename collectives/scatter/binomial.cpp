// SPDX-License-Identifier: Apache-2.0
// Scatter down a binomial tree: each message holds the blocks of a whole subtree, the largest first.
// Cost: ceil(log2 p) alpha + (p - 1) / p beta m with equal blocks: the least of both; about (log2 p) / 2 m in all.
// Source: CCL section 4.2.
#include "collectives/patterns/binomial_blocks.hpp"
#include "collectives/scatter/scatter.hpp"

namespace cohort::scatter {

Schedule binomial(const Problem& problem, Rank me) {
  Schedule schedule;
  const BinomialBlocks blocks(problem.blocks, problem.root, me, Buffer::input, Buffer::output, schedule);
  for (int level = blocks.levels() - 1; level >= 0; --level) {
    Round& round = schedule.add_round();
    const BinomialBlocks::Edge edge = blocks.edge(level);
    if (edge.end == BinomialBlocks::Edge::End::child) round.receive(edge.peer, edge.blocks);
    if (edge.end == BinomialBlocks::Edge::End::parent) round.send(edge.peer, edge.blocks);
  }
  if (blocks.is_root()) schedule.add_round().copy(blocks.own(), problem.blocks.block(Buffer::input, me));
  return schedule;
}

}  // namespace cohort::scatter
