// SPDX-License-Identifier: Apache-2.0
// All-to-all broadcast in two levels, for ranks that share hosts. The blocks of a host go to its first rank, then along
// the circulant graph among these, and back to all. For short blocks: only ceil(log2 h) messages in a row go between
// hosts.
// Cost: with h hosts of c ranks that of concat/circulant on h, with blocks of c m, between hosts; within, that of
// gather/recursive_split and ceil(log2 c) (alpha' + beta' p m).
// Takes the mesh, whose rows are hosts; without one all ranks are on one host.
// Source: folklore (two-level concat).
#include "collectives/bcast/bcast.hpp"
#include "collectives/concat/concat.hpp"
#include "collectives/gather/gather.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/recursive_split.hpp"
#include "collectives/patterns/two_levels.hpp"
#include "collectives/peers.hpp"

namespace cohort::concat {
namespace {

// The broadcast of all blocks within a host.
Problem broadcast(const Problem& problem, const TwoLevels& levels) {
  Problem within = levels.within_host();
  within.count = problem.blocks.total();
  return within;
}

}  // namespace

Schedule leaders(const Problem& problem, Rank me) {
  const TwoLevels levels(problem);
  const Rank host = levels.host_of(me), slot = levels.slot_of(me);
  Problem within = levels.within_host(), among = levels.among_leaders();
  within.blocks = levels.blocks_on(host);
  among.blocks = levels.blocks_of_hosts();
  among.in_place = true;

  Schedule schedule;
  const Segment own = problem.in_place ? problem.blocks.block(Buffer::output, me) : Segment{Buffer::input, 0, 0};
  append_part(schedule, gather::recursive_split(within, slot),
              {.input = own, .output = among.blocks.block(Buffer::output, host), .rank_of = levels.ranks_with(me)});
  const std::size_t heard = schedule.rounds() + static_cast<std::size_t>(ceil_log2(levels.hosts()));
  if (levels.is_leader(me)) append_part(schedule, circulant(among, host), {.rank_of = levels.leaders()});
  add_rounds_until(schedule, heard);
  append_part(schedule, bcast::recursive_split(broadcast(problem, levels), slot), {.rank_of = levels.ranks_with(me)});
  return schedule;
}

Cost leaders_cost(const Problem& problem) {
  const TwoLevels levels(problem);
  Problem within = levels.within_host(), among = levels.among_leaders();
  within.blocks = Blocks(levels.slots(), problem.blocks.largest());
  among.blocks = levels.blocks_of_hosts();
  return levels.cost(costs::few_rounds(among),
                     costs::recursive_split(within) + costs::tree(broadcast(problem, levels)));
}

}  // namespace cohort::concat
