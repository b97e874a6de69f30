// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/fibonacci_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "collectives/patterns/tree_pipeline.hpp"

namespace cohort {

PostalTimes postal_times(const Problem& problem, Count elements) {
  static constexpr double resolution = 10;  // steps of the shorter time, unless the longer one then exceeds the limit
  static constexpr double most = 100;
  const Network& network = problem.network;
  const double gap = network.alpha + network.beta * static_cast<double>(elements * problem.element_bytes);
  PostalTimes usual;
  if (network.latency > 0 && gap > 0) {
    const double scale = std::min(std::max(resolution / gap, resolution / network.latency),
                                  std::min(most / gap, most / network.latency));
    usual = {std::max<Count>(std::llround(gap * scale), 1), std::llround(network.latency * scale)};
  }
  return {problem.parameters.get("s", usual.gap), problem.parameters.get("r", usual.latency)};
}

namespace {

// The values of f until all ranks can have the message, and times derived from them.
class Growth {
 public:
  Growth(Rank ranks, PostalTimes times) : unit_(std::gcd(times.gap, times.latency)) {
    gap_ = times.gap / unit_;
    hop_ = gap_ + times.latency / unit_;
    while (known_.empty() || known_.back() < ranks) {
      const auto now = static_cast<Count>(known_.size());
      known_.push_back(now < hop_ ? 1 : known(now - gap_) + known(now - hop_));
    }
  }

  Count unit() const { return unit_; }  // the unit of all times here, in units of the postal times
  Count gap() const { return gap_; }
  Count hop() const { return hop_; }  // time from a message's start to its arrival
  Count end() const { return static_cast<Count>(known_.size()) - 1; }
  Count known(Count time) const { return known_[static_cast<std::size_t>(time)]; }
  Count reached_at(Count time) const { return time == 0 ? 1 : known(time) - known(time - 1); }

  // The round in which a message starts that arrives at this time. A round is as long as a send.
  Count round_of(Count time) const { return (time - hop_) / gap_; }
  Count rounds() const { return end() < hop_ ? 0 : round_of(end()) + 1; }  // the root sends in all except the last

 private:
  Count unit_;
  Count gap_;
  Count hop_;
  std::vector<Count> known_;
};

}  // namespace

Tree fibonacci_tree(Rank ranks, Rank root, Rank me, PostalTimes times) {
  const Growth growth(ranks, times);
  Tree tree;
  tree.rounds = growth.rounds();
  tree.is_root = me == root;

  Rank holder = root;  // the rank that holds the message for the ranks first ... last - 1
  Rank first = 0;
  Rank last = ranks;
  Count left = growth.end();                   // time in which these ranks must be reached
  Count missing = growth.known(left) - ranks;  // how many more ranks could be reached
  while (last - first > 1) {
    const Count childs_time = left - growth.hop();
    const Count childs_missing = std::min(missing, growth.reached_at(childs_time));
    const auto size = static_cast<Rank>(growth.known(childs_time) - childs_missing);
    const bool is_right = last - 1 - holder >= holder - first;
    const Rank cut = is_right ? last - size : first + size;
    const Rank child = is_right ? cut : cut - 1;  // the nearest rank of the part
    const Count round = growth.round_of(growth.end() - childs_time);
    if (holder == me) tree.down.push_back({child, round});
    if (child == me) tree.up = {holder, round};

    const bool is_in_child = is_right ? me >= cut : me < cut;
    (is_in_child == is_right ? first : last) = cut;
    holder = is_in_child ? child : holder;
    left = is_in_child ? childs_time : left - growth.gap();
    missing = is_in_child ? childs_missing : missing - childs_missing;
  }
  return tree;
}

Count fibonacci_end(Rank ranks, PostalTimes times) {
  const Growth growth(ranks, times);
  return growth.end() * growth.unit();
}

Count fibonacci_overlap(Rank ranks, PostalTimes times) {
  const Growth growth(ranks, times);
  const Count latency = growth.hop() - growth.gap();
  if (latency == 0) return 0;
  const Count waited = growth.end() - growth.rounds() * growth.gap();
  return std::max<Count>(growth.rounds() - (waited + latency / 2) / latency, 0);
}

Cost fibonacci_cost(const Problem& problem) {
  const PostalTimes times = postal_times(problem, problem.count);
  Cost cost = tree_cost(problem, fibonacci_tree(problem.ranks, problem.root, 0, times));
  cost.overlapped = fibonacci_overlap(problem.ranks, times);
  return cost;
}

}  // namespace cohort
