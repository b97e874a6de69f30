#include "collectives/barrier_mode.hpp"

#include <utility>

#include "collectives/patterns/tree_pipeline.hpp"
#include "collectives/sync/sync.hpp"

namespace cohort {
namespace {

Schedule fan_in(const Problem& problem, Rank me) { return tree_fan_in(halving_tree(problem.ranks, problem.root, me)); }

Schedule fan_out(Rank ranks, Rank root, Rank me) { return tree_fan_out(halving_tree(ranks, root, me)); }

Schedule then(Schedule first, Schedule second) {
  first.append(std::move(second));
  return first;
}

// Whether the data of some rank are empty, or may be for all that this rank knows. The same on all ranks.
bool data_may_be_missing(const Problem& problem) {
  switch (problem.operation) {
    case Operation::scatter:
    case Operation::gather:
    case Operation::concat:
    case Operation::reduce_scatter:
      return problem.blocks.any_empty();
    case Operation::index:
      return !problem.blocks.equal() || !problem.receive_blocks.equal() || problem.blocks.any_empty();
    default:
      return problem.count == 0;
  }
}

}  // namespace

Schedule in_barrier_mode(const Algorithm& algorithm, const Problem& problem, Rank me) {
  Schedule schedule = algorithm.schedule(problem, me);
  const Rank p = problem.ranks;
  if (p == 1 || problem.operation == Operation::sync) return schedule;
  if (problem.operation == Operation::shift || data_may_be_missing(problem)) {
    return then(sync::dissemination(problem, me), std::move(schedule));
  }
  switch (problem.operation) {
    case Operation::bcast:
    case Operation::scatter:
      return then(fan_in(problem, me), std::move(schedule));
    case Operation::reduce:
    case Operation::gather:
      return then(std::move(schedule), fan_out(p, problem.root, me));
    case Operation::prefix:
    case Operation::exclusive_prefix:
      return then(std::move(schedule), fan_out(p, p - 1, me));
    default:
      return schedule;
  }
}

}  // namespace cohort
