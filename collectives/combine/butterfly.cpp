// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter by vector halving, then concat by vector doubling, on a butterfly: for long vectors, in the operands'
// order.
// Distances double while the vector is halved, so every partial result is one of a range of ranks. The concat runs the
// same rounds backward and so undoes the order of the parts. If p is no power of two, neighbours fold first.
// Cost, p = 2^q: 2 q alpha + (p - 1) / p (2 beta + gamma) m; otherwise with the power of two below p, and 2 alpha + (2
// beta + gamma) m more.
// Source: Rabenseifner's algorithm, as in Sanders, Speck and Traeff 2009; folding: folklore.
#include "collectives/patterns/butterfly.hpp"
#include "collectives/combine/combine.hpp"

namespace cohort::combine {

Schedule butterfly(const Problem& problem, Rank me) {
  const FoldedButterfly butterfly(problem, me);
  const Folding& folding = butterfly.folding;
  const ButterflyRank mine(butterfly.graph, folding, butterfly.parts);

  Schedule schedule;
  PartialResult partial(schedule, problem.all(operand_buffer(problem, me)), problem.all(), 1);
  folding.add_fold(schedule, partial);
  mine.add_halving(schedule, partial.standing(), problem.all());
  mine.add_doubling(schedule, problem.all());
  folding.add_unfold(schedule, problem.all());
  if (problem.ranks == 1) partial.finish(schedule);
  return schedule;
}

Cost butterfly_cost(const Problem& problem) {
  const auto [folding, parts, graph] = FoldedButterfly(problem, 0);
  return folding.fold_cost(problem.count) + costs::vector_halving(parts) + costs::vector_doubling(parts) +
         folding.unfold_cost(problem.count);
}

}  // namespace cohort::combine
