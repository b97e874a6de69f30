// SPDX-License-Identifier: Apache-2.0
// Reduction to rank 0, then scatter from there: the fewest messages. Keeps the operands' order.
// Cost: that of reduce/recursive_split and scatter/binomial.
// Source: folklore.
#include "collectives/patterns/binomial_blocks.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/embedding.hpp"
#include "collectives/peers.hpp"
#include "collectives/reduce/reduce.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"
#include "collectives/scatter/scatter.hpp"

namespace cohort::reduce_scatter {
namespace {

Problem at_root(Operation operation, const Problem& problem) {
  Problem rooted = problem;
  rooted.operation = operation;
  rooted.root = 0;
  rooted.count = problem.blocks.total();
  return rooted;
}

}  // namespace

Schedule tree(const Problem& problem, Rank me) {
  const Problem reduction = at_root(Operation::reduce, problem), scattering = at_root(Operation::scatter, problem);
  Schedule schedule;
  const Segment result = schedule.add_scratch(me == reduction.root ? reduction.count : 0);
  append_part(schedule, reduce::recursive_split(reduction, me), {.output = result});
  add_rounds_until(schedule, static_cast<std::size_t>(ceil_log2(problem.ranks)) + 1);
  append_part(schedule, scatter::binomial(scattering, me), {.input = result});
  return schedule;
}

Cost tree_cost(const Problem& problem) {
  return costs::tree(at_root(Operation::reduce, problem)) + costs::binomial_blocks(problem);
}

}  // namespace cohort::reduce_scatter
