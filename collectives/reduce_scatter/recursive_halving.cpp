// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter by vector halving on a butterfly of 2^q positions, in the operands' order. Distances double, so every
// partial result is one of a range of ranks. But the blocks end at positions in bit-reversed order: one more exchange
// brings each to its rank. If p is no power of two, neighbours fold first.
// Cost, p = 2^q: (q + 1) alpha + (beta + (p - 1) / p gamma) m; otherwise with the power of two below p, and 2 alpha +
// (beta + gamma) m more.
// Source: recursive halving is folklore (Thakur, Rabenseifner and Gropp 2005), as is folding. The order is as in Traeff
// 2005, with an exchange in place of a permutation of the operands' blocks.
#include "collectives/patterns/butterfly.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"

namespace cohort::reduce_scatter {

Schedule recursive_halving(const Problem& problem, Rank me) {
  const FoldedButterfly butterfly(problem, me);
  const auto& [folding, parts, graph] = butterfly;
  const ButterflyRank mine(graph, folding, parts);
  const Blocks& blocks = problem.blocks;
  const Segment operand{Buffer::input, 0, blocks.total()};
  const Segment result{Buffer::output, 0, blocks.count(me)};

  Schedule schedule;
  const Segment work = problem.ranks == 1 ? operand : schedule.add_scratch(folding.leads() ? blocks.total() : 0);
  PartialResult partial(schedule, operand, work, 0);
  folding.add_fold(schedule, partial);
  mine.add_halving(schedule, partial.standing(), work);

  // Bit reversal is its own inverse: if my group's leader holds the blocks of another leader's group, that leader holds
  // the blocks of my group. The leaders swap first.
  const Rank other = graph.parts(folding.group(), graph.rounds()).first;
  for (const bool to_leaders : {true, false}) {
    Round& round = schedule.add_round();
    for (Rank rank = folding.first_of(other); folding.leads() && rank < folding.first_of(other + 1); ++rank) {
      if ((rank == folding.leader_of(other)) != to_leaders) continue;
      rank == me ? round.copy(result, blocks.block(work, rank)) : round.send(rank, blocks.block(work, rank));
    }
    if (folding.leads() == to_leaders && folding.leader_of(other) != me)
      round.receive(folding.leader_of(other), result);
  }
  return schedule;
}

Cost recursive_halving_cost(const Problem& problem) {
  const auto [folding, parts, graph] = FoldedButterfly(problem, 0);
  const Count block = problem.blocks.largest();
  Cost cost = folding.fold_cost(problem.blocks.total()) + costs::vector_halving(parts);
  const Count at_home = Count{1} << ((graph.rounds() + 1) / 2);  // leaders whose group's digits read the same backward
  const Count leaders = folding.groups() - at_home, others = problem.ranks - folding.groups();
  if (leaders > 0) cost = cost + Cost{1, block, leaders * block, 0, leaders};
  if (others > 0) cost = cost + Cost{1, block, others * block, 0, others};
  cost.overlapped = leaders > 0 && others > 0 ? 1 : 0;
  return cost;
}

}  // namespace cohort::reduce_scatter
