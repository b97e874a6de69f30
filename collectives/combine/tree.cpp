// SPDX-License-Identifier: Apache-2.0
// Reduction to rank 0, then broadcast from there. Keeps the operands' order, for vectors that are too long for
// wrap_split.
// Cost: that of reduce/recursive_split and bcast/circulant.
// Parameter: blocks, of the broadcast.
// Source: folklore; CCL section 4.2.
#include "collectives/bcast/bcast.hpp"
#include "collectives/combine/combine.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::combine {

Schedule tree(const Problem& problem, Rank me) {
  Problem rooted = problem;
  rooted.root = 0;
  Schedule schedule = reduce::recursive_split(rooted, me);
  rooted.operation = Operation::bcast;  // nothing is combined in its blocks
  schedule.append(bcast::circulant(rooted, me));
  return schedule;
}

Cost tree_cost(const Problem& problem) {
  Problem part = problem;
  part.operation = Operation::reduce;
  const Cost reduction = costs::tree(part);
  part.operation = Operation::bcast;
  return reduction + costs::circulant_pipeline(part);
}

}  // namespace cohort::combine
