// SPDX-License-Identifier: Apache-2.0
// Broadcast in two levels, for ranks that share hosts: from the root to a leader on each host, and from it to the
// others there. Both levels go in blocks on the circulant graph, at the same time. A host's link carries the vector
// once.
// Cost: with h hosts of c ranks and n blocks (n - 1 + ceil(log2 h)) (alpha + beta m / n) between hosts, and (n - 1 +
// ceil(log2 c)) (alpha' + beta' m / n) within. The engine overlaps the two.
// Parameter: blocks. Takes the mesh, whose rows are hosts; without one all ranks are on one host.
// Source: folklore (two-level broadcast); Traeff, arXiv 2407.18004, for the parts.
#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/closed_forms.hpp"
#include "collectives/patterns/two_levels.hpp"

namespace cohort::bcast {

Schedule leaders(const Problem& problem, Rank me) {
  const TwoLevels levels(problem);
  Part among{{}, {.rank_of = levels.leaders()}};
  if (levels.is_leader(me)) among.schedule = circulant(levels.among_leaders(), levels.host_of(me));
  Part within{circulant(levels.within_host(), levels.slot_of(me)), {.rank_of = levels.ranks_with(me)}};
  Schedule schedule;
  append_in_turn(schedule, std::move(among), std::move(within), levels.delay());
  return schedule;
}

Cost leaders_cost(const Problem& problem) {
  const TwoLevels levels(problem);
  return levels.cost(costs::circulant_pipeline(levels.among_leaders()),
                     costs::circulant_pipeline(levels.within_host()));
}

}  // namespace cohort::bcast
