// SPDX-License-Identifier: Apache-2.0
// Broadcast down a k-ary tree that is filled level by level. Each rank sends to its children one after the other.
// Cost: at most k log_k(p) (alpha + beta m), in rounds; each level adds a latency.
// Parameter: k; by default the fastest for the network's latency.
// Source: folklore; Cordsen, Pohl and Schroeder-Preikschat 1997, section 2, with k = 2, 4 and 8.
#include <algorithm>

#include "collectives/bcast/bcast.hpp"
#include "collectives/patterns/tree_pipeline.hpp"

namespace cohort::bcast {
namespace {

struct Extent {
  Count levels = 0;  // below the root
  Count rounds = 0;  // until the last rank has the vector
};

// The rank with position x has the children k x + 1 ... k x + k. So if its number within its level is y, theirs are k y
// ... k y + k - 1: the digits of a rank's number to base k name the children on the path from the root.
Extent extent(Rank ranks, Count k) {
  Extent extent;
  Count above = 1;  // ranks of the levels above this one
  for (Count size = k; above < ranks; size *= k) {
    ++extent.levels;
    const Count last = std::min(size, ranks - above) - 1;  // its number in the level
    // The rank of the level that receives last is the last one, or a rank with a number of this form: it agrees with
    // the last number down to some digit, has one less there, and the highest digits after that.
    Count latest = 0;
    Count digits = 0;
    for (Count number = last; digits < extent.levels; number /= k, ++digits) {
      const Count digit = number % k;
      latest = std::max(latest + digit + 1, digit > 0 ? digits * k + digit : 0);
    }
    extent.rounds = std::max(extent.rounds, latest);
    above += size;
  }
  return extent;
}

Count best_children(const Problem& problem) {
  const Network& network = problem.network;
  const double gap = network.alpha + network.beta * static_cast<double>(problem.count * problem.element_bytes);
  const auto seconds = [&](Count k) {
    const Extent tree = extent(problem.ranks, k);
    return static_cast<double>(tree.rounds) * gap + static_cast<double>(tree.levels) * network.latency;
  };
  static constexpr Count most = 32;
  Count best = 2;
  for (Count k = 3; k <= std::min<Count>(problem.ranks - 1, most); ++k) {
    if (seconds(k) < seconds(best)) best = k;
  }
  return best;
}

Count children(const Problem& problem) {
  const Count wished = problem.parameters.get("k", 0);
  return wished > 0 ? wished : best_children(problem);
}

Tree kary_tree(Rank ranks, Count k, Rank position) {
  Tree tree;
  tree.rounds = extent(ranks, k).rounds;
  tree.is_root = position == 0;
  Count arrival = 0;  // rounds until this rank has the vector
  for (Count x = position; x > 0; x = (x - 1) / k) arrival += (x - 1) % k + 1;
  tree.up = {static_cast<Rank>((position - 1) / k), arrival - 1};
  for (Count child = k * position + 1; child <= k * position + k && child < ranks; ++child) {
    tree.down.push_back({static_cast<Rank>(child), arrival++});
  }
  return tree;
}

}  // namespace

Schedule kary(const Problem& problem, Rank me) {
  const RootedOrder order{problem.ranks, problem.root};
  return tree_broadcast(problem, placed(kary_tree(problem.ranks, children(problem), order.position_of(me)), order));
}

Cost kary_cost(const Problem& problem) {
  const Count k = children(problem);
  Cost cost = tree_cost(problem, kary_tree(problem.ranks, k, problem.ranks - 1));
  cost.overlapped = cost.rounds - extent(problem.ranks, k).levels;
  return cost;
}

}  // namespace cohort::bcast
