// SPDX-License-Identifier: Apache-2.0
// All-to-all reduction in two levels, for ranks that share hosts. It goes to the first rank of each host, by recursive
// doubling among these, and from them to the others. For short vectors: only ceil(log2 h) messages in a row go between
// hosts. The operands keep their order.
// Cost: with h hosts of c ranks that of combine/recursive_doubling on h between hosts, and ceil(log2 c) (2 alpha' + (2
// beta' + gamma) m) within.
// Takes the mesh, whose rows are hosts; without one all ranks are on one host.
// Source: folklore (two-level combine).
#include "collectives/combine/combine.hpp"

#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/two_levels.hpp"
#include "collectives/peers.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::combine {
namespace {

Problem as(Operation operation, Problem problem) {
  problem.operation = operation;
  return problem;
}

}  // namespace

Schedule leaders(const Problem& problem, Rank me) {
  const TwoLevels levels(problem);
  const Problem within = levels.within_host();
  const auto depth = static_cast<std::size_t>(ceil_log2(levels.slots()));
  Schedule schedule;
  append_part(
      schedule, reduce::recursive_split(as(Operation::reduce, within), levels.slot_of(me)),
      {.input = problem.all(problem.in_place ? Buffer::output : Buffer::input), .rank_of = levels.ranks_with(me)});
  add_rounds_until(schedule, depth);

  Problem among = levels.among_leaders();
  among.in_place = true;
  const auto doublings = static_cast<std::size_t>(recursive_doubling_cost(among).rounds);
  if (levels.is_leader(me)) {
    append_part(schedule, recursive_doubling(among, levels.host_of(me)), {.rank_of = levels.leaders()});
  }
  add_rounds_until(schedule, depth + doublings);

  append_part(schedule, bcast::recursive_split(as(Operation::bcast, within), levels.slot_of(me)),
              {.rank_of = levels.ranks_with(me)});
  return schedule;
}

Cost leaders_cost(const Problem& problem) {
  const TwoLevels levels(problem);
  const Problem within = levels.within_host();
  return levels.cost(recursive_doubling_cost(levels.among_leaders()),
                     costs::tree(as(Operation::reduce, within)) + costs::tree(as(Operation::bcast, within)));
}

}  // namespace cohort::combine
