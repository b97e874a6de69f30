// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/circulant_schedule.hpp"

#include <algorithm>

#include "collectives/peers.hpp"

namespace cohort {

CirculantGraph::CirculantGraph(Rank ranks) : rounds_(ceil_log2(ranks)) {
  Rank skip = ranks;
  for (int k = rounds_; k >= 0; --k) {
    skips_[static_cast<std::size_t>(k)] = skip;
    skip = skip / 2 + skip % 2;
  }
}

Rank CirculantGraph::after(Rank position, int round) const {
  return modulo(std::int64_t{position} + skip(round), ranks());
}

Rank CirculantGraph::before(Rank position, int round) const {
  return modulo(std::int64_t{position} - skip(round), ranks());
}

namespace {

using ByRound = std::array<int, 32>;

// The index of the smallest skip in the greedy sum of skips that makes up the position; q for the root itself. This is
// the round in which the position receives its first block on the canonical path from the root.
int first_block(const CirculantGraph& graph, Rank position) {
  if (position == 0) return graph.rounds();
  for (int k = graph.rounds() - 1; k > 0; --k) {
    if (position >= graph.skip(k)) position -= graph.skip(k);
    if (position == 0) return k;
  }
  return 0;
}

// Finds q paths of decreasing length to one position, one for each round, with different last skips. It is a
// depth-first search over sums of skips; a skip leaves the list when a path has used it up.
class PathSearch {
 public:
  PathSearch(const CirculantGraph& graph, Rank position)
      : graph_(graph), q_(graph.rounds()), target_(std::int64_t{graph.ranks()} + position) {
    for (int e = 0; e <= q_; ++e) {
      below_[index(e)] = e - 1;
      above_[index(e)] = e + 1;
    }
    above_[index(q_)] = none;
    const int own = first_block(graph, position);
    const int start = own == q_ ? below_[index(q_)] : q_;
    remove(own);
    search(0, 2 * std::int64_t{graph.ranks()}, start);
    for (int k = 0; k < q_; ++k) found_[index(k)] = found_[index(k)] == q_ ? own : found_[index(k)] - q_;
  }

  const ByRound& found() const { return found_; }

 private:
  static constexpr int none = -1;
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  void remove(int e) {
    if (below_[index(e)] != none) above_[index(below_[index(e)])] = above_[index(e)];
    if (above_[index(e)] != none) below_[index(above_[index(e)])] = below_[index(e)];
  }

  std::int64_t room(int round) const { return target_ - graph_.skip(round); }

  void search(std::int64_t sum, std::int64_t limit, int from) {
    for (int e = from; e != none; e = below_[index(e)]) {
      const std::int64_t longer = sum + graph_.skip(e);
      if (round_ >= q_ || longer > room(round_) || longer >= limit) continue;
      if (longer <= room(round_ + 1)) search(longer, limit, e);
      if (round_ == q_ || sum > room(round_ + 1)) return;
      limit = longer;
      found_[index(round_++)] = e;
      remove(e);
    }
  }

  const CirculantGraph& graph_;
  const int q_;
  const std::int64_t target_;
  int round_ = 0;
  ByRound below_{};  // the list of the free skips, from the largest down
  ByRound above_{};
  ByRound found_{};
};

int received(const CirculantGraph& graph, Rank position, int round) {
  return PathSearch(graph, position).found()[static_cast<std::size_t>(round)];
}

}  // namespace

CirculantSchedule::CirculantSchedule(const CirculantGraph& graph, Rank position) {
  const int q = graph.rounds();
  const ByRound found = PathSearch(graph, position).found();
  std::copy_n(found.begin(), q, receive.begin());
  if (position == 0 || q == 0) {
    for (int k = 0; k < q; ++k) send[static_cast<std::size_t>(k)] = static_cast<std::int8_t>(k);
    return;
  }
  // The block that this rank sends is the block that rank after(me) receives. Most positions know it from the range of
  // positions that receive the same block as this one. Only a few at the borders of such ranges must search the other
  // rank's paths.
  const int own = first_block(graph, position);
  std::int64_t rest = position;
  std::int64_t border = graph.ranks();
  int block = own;
  for (int k = q - 1; k > 0; --k) {
    const Rank skip = graph.skip(k);
    const bool inner = border < graph.skip(k - 1);
    bool known = false;
    const bool low = rest < skip;
    if (low) {
      known = rest + skip < border || inner || (k == 1 && own > 0);
      border = std::min<std::int64_t>(border, skip);
    } else {
      block = k - q;
      border -= skip;
      known = rest > skip || rest <= border || k == 1 || border < graph.skip(k - 1);
      rest -= skip;
    }
    send[static_cast<std::size_t>(k)] =
        static_cast<std::int8_t>(known ? block : received(graph, graph.after(position, k), k));
  }
  send[0] = static_cast<std::int8_t>(own - q);
}

}  // namespace cohort
