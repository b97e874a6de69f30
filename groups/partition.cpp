// SPDX-License-Identifier: Apache-2.0
#include "groups/partition.hpp"

#include <algorithm>
#include <utility>

namespace cohort {

PartitionResult partition(const Members& parent, std::span<const PartitionVote> votes, Rank me) {
  const auto vote_of = [&](Rank rank) -> const PartitionVote& { return votes[static_cast<std::size_t>(rank)]; };
  std::vector<Rank> chosen;
  for (Rank rank = 0; rank < parent.size(); ++rank) {
    if (vote_of(rank).value == vote_of(me).value) chosen.push_back(rank);
  }
  std::ranges::stable_sort(chosen, {}, [&](Rank rank) { return vote_of(rank).key; });

  PartitionResult result;
  std::vector<Pid> pids;
  for (const Rank rank : chosen) {
    if (rank == me) result.me = static_cast<Rank>(pids.size());
    pids.push_back(parent.pid_of(rank));
  }
  result.id = {vote_of(chosen.front()).counter, pids.front(), 0};
  result.members = Members::list(std::move(pids));
  return result;
}

}  // namespace cohort
