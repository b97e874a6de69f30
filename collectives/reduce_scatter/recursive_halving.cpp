// Reduce-scatter by vector halving on a butterfly of 2^q ranks, in the operands' order.
// Distances double, so every partial result is one of a range of ranks, but the blocks end at ranks in bit-reversed
// order: one exchange more brings each where it belongs.
// Cost: (q + 1) alpha + (beta + (p - 1) / p gamma) m.
// Source: recursive halving is folklore (Thakur, Rabenseifner and Gropp 2005); the order as in Traeff 2005, with an
// exchange in place of a permutation of the operands' blocks.
#include "collectives/butterfly.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"

namespace cohort::reduce_scatter {

Schedule recursive_halving(const Problem& problem, Rank me) {
  const Blocks& blocks = problem.blocks;
  const Folding ranks(problem.ranks, problem.ranks, me);
  const Butterfly graph(problem.ranks, Butterfly::Distances::doubling);
  const ButterflyRank mine(graph, ranks, blocks);
  const Segment operand{Buffer::input, 0, blocks.total()};
  const Segment result{Buffer::output, 0, blocks.count(me)};

  Schedule schedule;
  const Segment work = problem.ranks == 1 ? operand : schedule.add_scratch(blocks.total());
  mine.add_halving(schedule, operand, work);
  const Butterfly::Range left = graph.parts(me, graph.rounds());
  Round& last = schedule.add_round();
  if (left.first == me) {
    last.copy(result, mine.in(work, left));
  } else {
    // The reverse of the reverse: who has my block wants mine.
    last.send(left.first, mine.in(work, left));
    last.receive(left.first, result);
  }
  return schedule;
}

Cost recursive_halving_cost(const Problem& problem) {
  const Cost halving = costs::vector_halving(problem.blocks);
  const Count block = problem.blocks.largest();
  const Count at_home = Count{1} << ((halving.rounds + 1) / 2);  // ranks whose number reads the same backward
  if (halving.rounds < 2) return halving;
  return halving + Cost{1, block, (problem.ranks - at_home) * block, 0, problem.ranks - at_home};
}

}  // namespace cohort::reduce_scatter
