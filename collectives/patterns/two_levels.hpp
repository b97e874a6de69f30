// Algorithms in two levels, for ranks that share hosts: one among leaders, a rank of each host; and one within each
// host, between the leader and the others. Both are algorithms of the registry, on smaller problems. The hosts are the
// rows of the problem's mesh; without one all ranks are taken to be on one host.
#pragma once

#include "collectives/cost.hpp"
#include "collectives/patterns/embedding.hpp"

namespace cohort {

class TwoLevels {
 public:
  // The leaders are the ranks with the root's place on their host.
  explicit TwoLevels(const Problem& problem);

  Rank hosts() const { return hosts_; }
  Rank slots() const { return slots_; }  // ranks on a host
  Rank host_of(Rank rank) const { return rank / slots_; }
  Rank slot_of(Rank rank) const { return rank % slots_; }
  bool is_leader(Rank rank) const { return slot_of(rank) == slot_of(problem_.root); }

  // The same operation among the leaders, numbered as the hosts are, and within a host. Rooted operations have the
  // leader as their root within each. The number of blocks is the same in both.
  Problem among_leaders() const;
  Problem within_host() const;

  // Where each rank has a block: those of a host's ranks as one, and as they are.
  Blocks blocks_of_hosts() const;
  Blocks blocks_on(Rank host) const;

  // The names of their ranks in the whole.
  std::function<Rank(Rank)> leaders() const;
  std::function<Rank(Rank)> ranks_with(Rank rank) const;  // on the same host

  // Of the two parts, the second played by every host.
  Cost cost(const Cost& among_leaders, Cost within_host) const;

  // Of a pipeline on the circulant graph on both levels: so many rounds after it is sent among leaders every block has
  // arrived there. And the same for the two played backward.
  std::size_t delay() const;
  std::size_t delay_backward() const;

 private:
  Problem part(Rank ranks, Rank root, const Network& network) const;

  const Problem& problem_;  // outlives this
  Rank slots_;
  Rank hosts_;
  Rank blocks_;
};

}  // namespace cohort
