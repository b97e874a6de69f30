#include "collectives/barrier_mode.hpp"

#include <utility>

#include "collectives/recursive_split.hpp"
#include "collectives/sync/sync.hpp"

namespace cohort {
namespace {

// Signals from all ranks to the root. Whatever is appended starts at the root when all ranks have signalled.
Schedule fan_in(Rank ranks, Rank root, Rank me) {
  const SplitTree tree(ranks, root, me);
  Schedule schedule;
  Round& heard = schedule.add_round();
  for (const SplitEdge& edge : tree.down) heard.await(edge.child);
  Round& told = schedule.add_round();
  told.fence();
  if (!tree.is_root) told.signal(tree.up.parent);
  return schedule;
}

// Signals from the root, once it has completed all that went before, to all ranks.
Schedule fan_out(Rank ranks, Rank root, Rank me) {
  const SplitTree tree(ranks, root, me);
  Schedule schedule;
  Round& heard = schedule.add_round();
  if (!tree.is_root) heard.await(tree.up.parent);
  Round& told = schedule.add_round();
  told.fence();
  for (const SplitEdge& edge : tree.down) told.signal(edge.child);
  return schedule;
}

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
      return then(fan_in(p, problem.root, me), std::move(schedule));
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
