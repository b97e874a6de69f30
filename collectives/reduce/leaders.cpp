// SPDX-License-Identifier: Apache-2.0
// Reduction in two levels, for ranks that share hosts: to a leader on each host, and from the leaders to the root. Both
// levels go in blocks on the circulant graph, at the same time: bcast/leaders played backward. A host's link carries
// one vector.
// Cost: with h hosts of c ranks and n blocks (n - 1 + ceil(log2 h)) (alpha + (beta + gamma) m / n) between hosts, and
// (n - 1 + ceil(log2 c)) (alpha' + (beta' + gamma) m / n) within. The operator must commute.
// Parameter: blocks. Takes the mesh, whose rows are hosts; without one all ranks are on one host.
// Source: folklore (two-level reduction); Traeff, arXiv 2407.18004, for the parts.
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/two_levels.hpp"
#include "collectives/reduce/reduce.hpp"

namespace cohort::reduce {

Schedule leaders(const Problem& problem, Rank me) {
  const TwoLevels levels(problem);
  const bool is_root = me == problem.root;
  Schedule schedule;
  const Segment sum_of_host = is_root ? problem.all() : schedule.add_scratch(levels.is_leader(me) ? problem.count : 0);

  Problem within_host = levels.within_host();
  within_host.in_place = problem.in_place && is_root;
  Part within{circulant(within_host, levels.slot_of(me)), {.output = sum_of_host, .rank_of = levels.ranks_with(me)}};

  Problem among_leaders = levels.among_leaders();
  among_leaders.in_place = true;
  Part among{{}, {.input = sum_of_host, .rank_of = levels.leaders()}};
  if (levels.is_leader(me)) among.schedule = circulant(among_leaders, levels.host_of(me));

  append_in_turn(schedule, std::move(within), std::move(among), levels.delay_backward());
  return schedule;
}

Cost leaders_cost(const Problem& problem) {
  const TwoLevels levels(problem);
  return levels.cost(costs::circulant_pipeline(levels.among_leaders()),
                     costs::circulant_pipeline(levels.within_host()));
}

}  // namespace cohort::reduce
