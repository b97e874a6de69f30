// SPDX-License-Identifier: Apache-2.0
// Algorithms in two levels, for ranks that share hosts: one among leaders, a rank of each host, and one within each
// host, between the leader and the others. Both are algorithms of the registry, on smaller problems. The hosts are the
// rows of the problem's mesh; without a mesh all ranks are on one host.
#pragma once

#include "collectives/cost.hpp"
#include "collectives/patterns/embedding.hpp"

namespace cohort {

class TwoLevels {
 public:
  // The leaders are the ranks with the root's slot on their host.
  explicit TwoLevels(const Problem& problem);

  Rank hosts() const { return hosts_; }
  Rank slots() const { return slots_; }  // ranks on a host
  Rank host_of(Rank rank) const { return rank / slots_; }
  Rank slot_of(Rank rank) const { return rank % slots_; }
  bool is_leader(Rank rank) const { return slot_of(rank) == slot_of(problem_.root); }

  // The same operation among the leaders, which are numbered as the hosts are, and within a host. In rooted operations
  // the leader is the root within its host. Both have the same number of pipeline blocks.
  Problem among_leaders() const;
  Problem within_host() const;

  // If each rank has a block: one joined block for each host, and the blocks of one host.
  Blocks blocks_of_hosts() const;
  Blocks blocks_on(Rank host) const;

  // For append_part(): the ranks of the two problems in the whole.
  std::function<Rank(Rank)> leaders() const;
  std::function<Rank(Rank)> ranks_with(Rank rank) const;  // the ranks on the same host

  // The cost of the two parts; every host plays the second.
  Cost cost(const Cost& among_leaders, Cost within_host) const;

  // For a pipeline on the circulant graph on both levels: a block has arrived at all leaders so many rounds after the
  // root has sent it. delay_backward() is this number if both levels are played backward.
  std::size_t delay() const;
  std::size_t delay_backward() const;

 private:
  Problem part(Rank ranks, Rank root, const Network& network) const;

  const Problem& problem_;  // must outlive this object
  Rank slots_;
  Rank hosts_;
  Rank blocks_;
};

}  // namespace cohort
