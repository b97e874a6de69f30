// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter by vector halving on a butterfly, then gather to the root along the same edges. For long vectors, in
// the operands' order, with any root. If p is no power of two, neighbours fold first; the root leads its group.
// Cost, p = 2^q: 2 q alpha + (p - 1) / p (2 beta + gamma) m; otherwise with the power of two below p, and alpha + (beta
// + gamma) m more.
// Source: Rabenseifner's algorithm, as in Sanders, Speck and Traeff 2009; folding: folklore.
#include "collectives/patterns/butterfly.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {

Schedule butterfly(const Problem& problem, Rank me) {
  const FoldedButterfly butterfly(problem, me, problem.root);
  const Folding& folding = butterfly.folding;
  const ButterflyRank mine(butterfly.graph, folding, butterfly.parts);

  Schedule schedule;
  const Segment sum = me == problem.root ? problem.all() : schedule.add_scratch(folding.leads() ? problem.count : 0);
  PartialResult partial(schedule, problem.all(operand_buffer(problem, me)), sum, folding.leads() ? 1 : 0);
  folding.add_fold(schedule, partial);
  mine.add_halving(schedule, partial.standing(), sum);
  mine.add_gather(schedule, sum, folding.group_of(problem.root));
  if (problem.ranks == 1) partial.finish(schedule);
  return schedule;
}

Cost butterfly_cost(const Problem& problem) {
  const auto [folding, parts, graph] = FoldedButterfly(problem, 0);
  return folding.fold_cost(problem.count) + costs::vector_halving(parts) +
         costs::butterfly_gather(parts, folding.group_of(problem.root));
}

}  // namespace cohort::reduce
