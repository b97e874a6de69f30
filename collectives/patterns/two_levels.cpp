// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/two_levels.hpp"

#include <algorithm>

#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/peers.hpp"

namespace cohort {

TwoLevels::TwoLevels(const Problem& problem)
    : problem_(problem),
      slots_(problem.mesh.empty() ? problem.ranks : problem.mesh.back()),
      hosts_(problem.ranks / slots_),
      blocks_(pipeline_blocks(problem, ceil_log2(hosts_) + ceil_log2(slots_) - 1)) {}

Problem TwoLevels::part(Rank ranks, Rank root, const Network& network) const {
  Problem part = problem_;
  part.ranks = ranks;
  part.root = root;
  part.network = network;
  part.mesh.clear();
  part.within_host.reset();
  part.parameters = {};
  part.parameters.set("blocks", blocks_);
  return part;
}

Problem TwoLevels::among_leaders() const { return part(hosts_, host_of(problem_.root), problem_.network); }

Problem TwoLevels::within_host() const { return part(slots_, slot_of(problem_.root), network_within_host(problem_)); }

Blocks TwoLevels::blocks_of_hosts() const {
  const Blocks& blocks = problem_.blocks;
  if (blocks.equal()) return {hosts_, slots_ * blocks.largest()};
  std::vector<Count> counts;
  for (Rank host = 0; host < hosts_; ++host) counts.push_back(blocks_on(host).total());
  return Blocks(counts);
}

Blocks TwoLevels::blocks_on(Rank host) const {
  const Blocks& blocks = problem_.blocks;
  if (blocks.equal()) return {slots_, blocks.largest()};
  std::vector<Count> counts;
  for (Rank slot = 0; slot < slots_; ++slot) counts.push_back(blocks.count(host * slots_ + slot));
  return Blocks(counts);
}

std::function<Rank(Rank)> TwoLevels::leaders() const {
  return [slots = slots_, slot = slot_of(problem_.root)](Rank host) { return host * slots + slot; };
}

std::function<Rank(Rank)> TwoLevels::ranks_with(Rank rank) const {
  return [first = host_of(rank) * slots_](Rank slot) { return first + slot; };
}

Cost TwoLevels::cost(const Cost& among_leaders, Cost within_host) const {
  within_host.total *= hosts_;
  within_host.messages *= hosts_;
  return among_leaders + (ranks_per_host(problem_) > 1 ? within_hosts(within_host) : within_host);
}

std::size_t TwoLevels::delay() const {
  const auto levels = static_cast<std::size_t>(ceil_log2(hosts_));
  // A block arrives within two phases, or at the end of the pipeline.
  return levels == 0 ? 0 : std::min(2 * levels, static_cast<std::size_t>(blocks_) - 1 + levels);
}

std::size_t TwoLevels::delay_backward() const {
  return delay() + static_cast<std::size_t>(ceil_log2(slots_)) - static_cast<std::size_t>(ceil_log2(hosts_));
}

}  // namespace cohort
