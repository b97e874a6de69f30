// SPDX-License-Identifier: Apache-2.0
// All-to-all broadcast on a butterfly of 2^q ranks. In round k the ranks that differ in binary digit k of their number
// swap all the blocks they have, which lie side by side.
// Cost: q alpha + (p - 1) / p beta m: the least of both.
// Source: CCL section 4.4 (hypercube recursive exchange).
#include "collectives/concat/concat.hpp"
#include "collectives/patterns/butterfly.hpp"

namespace cohort::concat {

Schedule recursive_doubling(const Problem& problem, Rank me) {
  const Blocks& blocks = problem.blocks;
  const Folding ranks(problem.ranks, problem.ranks, me);
  const Butterfly graph(problem.ranks, Butterfly::Distances::halving);
  Schedule schedule;
  add_own_block(schedule, problem, me);
  ButterflyRank(graph, ranks, blocks).add_doubling(schedule, {Buffer::output, 0, blocks.total()});
  return schedule;
}

}  // namespace cohort::concat
