// SPDX-License-Identifier: Apache-2.0
// Reduce-scatter in two levels, for ranks that share hosts. The first rank of each host is its leader. Each host
// reduces its vectors to its leader. The leaders reduce and scatter among themselves, on the circulant graph. Each
// leader scatters to its host. This is concat/leaders played backward. For short blocks: only ceil(log2 h) messages in
// a row go between hosts. The operator must commute.
// Cost: with h hosts of c ranks that of reduce_scatter/circulant on h, with blocks of c m, between hosts; within,
// ceil(log2 c) (alpha' + (beta' + gamma) p m) and that of scatter/recursive_split. Takes the mesh, whose rows are
// hosts; without one all ranks are on one host.
// Source: folklore (two-level reduce-scatter).
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/recursive_split.hpp"
#include "collectives/patterns/two_levels.hpp"
#include "collectives/peers.hpp"
#include "collectives/reduce/reduce.hpp"
#include "collectives/reduce_scatter/reduce_scatter.hpp"
#include "collectives/scatter/scatter.hpp"

namespace cohort::reduce_scatter {
namespace {

Problem reduction(const Problem& problem, const TwoLevels& levels) {
  Problem within = levels.within_host();
  within.operation = Operation::reduce;
  within.count = problem.blocks.total();
  return within;
}

}  // namespace

Schedule leaders(const Problem& problem, Rank me) {
  const TwoLevels levels(problem);
  const Rank host = levels.host_of(me), slot = levels.slot_of(me);
  Problem within = levels.within_host(), among = levels.among_leaders();
  within.operation = Operation::scatter;
  within.blocks = levels.blocks_on(host);
  among.blocks = levels.blocks_of_hosts();

  Schedule schedule;
  const bool leads = levels.is_leader(me);
  const Segment of_host = schedule.add_scratch(leads ? among.blocks.total() : 0);
  const Segment for_host = schedule.add_scratch(leads ? among.blocks.count(host) : 0);
  append_part(schedule, reduce::recursive_split(reduction(problem, levels), slot),
              {.output = of_host, .rank_of = levels.ranks_with(me)});
  const std::size_t heard = static_cast<std::size_t>(ceil_log2(levels.slots()) + ceil_log2(levels.hosts())) + 1;
  if (leads) {
    append_part(schedule, circulant(among, host), {.input = of_host, .output = for_host, .rank_of = levels.leaders()});
  }
  add_rounds_until(schedule, heard);
  append_part(schedule, scatter::recursive_split(within, slot), {.input = for_host, .rank_of = levels.ranks_with(me)});
  return schedule;
}

Cost leaders_cost(const Problem& problem) {
  const TwoLevels levels(problem);
  Problem within = levels.within_host(), among = levels.among_leaders();
  within.operation = Operation::scatter;
  within.blocks = Blocks(levels.slots(), problem.blocks.largest());
  among.blocks = levels.blocks_of_hosts();
  return levels.cost(costs::few_rounds(among),
                     costs::tree(reduction(problem, levels)) + costs::recursive_split(within));
}

}  // namespace cohort::reduce_scatter
