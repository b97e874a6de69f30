// SPDX-License-Identifier: Apache-2.0
// Barrier: in each round every rank signals to w others. A rank that has heard of d ranks signals to those d, 2 d ... w
// d after it. So after the round it has heard of (w + 1) d.
// Cost: ceil(log2 p) alpha with w = 1. If sending a signal takes s and it arrives r later, ceil(log(p) / log(w + 1)) (w
// s + r): with long latencies more than one signal a round is better.
// Parameter: w; by default the best by that formula, and 1 without latency.
// Source: Hensgen, Finkel and Manber 1988; CCL section 4.10; n-way: Hoefler, Mehlan, Mietke and Rehm 2006.
#include <algorithm>

#include "collectives/peers.hpp"
#include "collectives/sync/sync.hpp"

namespace cohort::sync {
namespace {

Cost cost_with(Rank ranks, Count w) {
  Cost cost;
  for (Count heard = 1; heard < ranks; heard *= w + 1) {
    const Count sent = std::min(w, (ranks - 1) / heard);
    cost = cost + Cost{1, 0, 0, 0, ranks * sent, sent - 1};
  }
  return cost;
}

Count signals_of(const Problem& problem) {
  if (const Count wished = problem.parameters.get("w", 0); wished > 0) return wished;
  const auto seconds_with = [&](Count w) { return seconds_by_data(cost_with(problem.ranks, w), problem); };
  static constexpr Count most = 16;
  Count best = 1;
  for (Count w = 2; w <= most && w < problem.ranks; ++w) {
    if (seconds_with(w) < seconds_with(best)) best = w;
  }
  return best;
}

}  // namespace

Schedule dissemination(const Problem& problem, Rank me) {
  const Count w = signals_of(problem);
  Schedule schedule;
  for (Count heard = 1; heard < problem.ranks; heard *= w + 1) {
    Round& round = schedule.add_round();
    round.fence();
    for (Count distance = heard; distance <= w * heard && distance < problem.ranks; distance += heard) {
      round.signal(modulo(me + distance, problem.ranks));
      round.await(modulo(me - distance, problem.ranks));
    }
  }
  return schedule;
}

Cost dissemination_cost(const Problem& problem) { return cost_with(problem.ranks, signals_of(problem)); }

}  // namespace cohort::sync
