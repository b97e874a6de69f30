// SPDX-License-Identifier: Apache-2.0
// Barrier in two levels, for ranks that share hosts. It sends signals to the first rank of each host, disseminates
// among these, and sends signals back. Only h ceil(log2 h) messages go between hosts.
// Cost: with h hosts of c ranks ceil(log2 h) alpha between hosts, and 2 ceil(log2 c) alpha' within.
// Takes the mesh, whose rows are hosts; without one all ranks are on one host.
// Source: folklore (two-level barrier).
#include "collectives/patterns/tree_pipeline.hpp"
#include "collectives/patterns/two_levels.hpp"
#include "collectives/peers.hpp"
#include "collectives/sync/sync.hpp"

namespace cohort::sync {
namespace {

Problem among_leaders(const TwoLevels& levels) {
  Problem among = levels.among_leaders();
  among.parameters.set("w", 1);
  return among;
}

}  // namespace

Schedule leaders(const Problem& problem, Rank me) {
  const TwoLevels levels(problem);
  const Tree tree = halving_tree(levels.slots(), 0, levels.slot_of(me));
  const Embedding within{.rank_of = levels.ranks_with(me)};
  Schedule schedule;
  append_part(schedule, tree_fan_in(tree), within);
  const std::size_t heard = schedule.rounds() + static_cast<std::size_t>(ceil_log2(levels.hosts()));
  if (levels.is_leader(me)) {
    append_part(schedule, dissemination(among_leaders(levels), levels.host_of(me)), {.rank_of = levels.leaders()});
  }
  add_rounds_until(schedule, heard);
  append_part(schedule, tree_fan_out(tree), within);
  return schedule;
}

Cost leaders_cost(const Problem& problem) {
  const TwoLevels levels(problem);
  const Count depth = ceil_log2(levels.slots());
  return levels.cost(dissemination_cost(among_leaders(levels)), {2 * depth, 0, 0, 0, 2 * (Count{levels.slots()} - 1)});
}

}  // namespace cohort::sync
