// SPDX-License-Identifier: Apache-2.0
#include "collectives/selector/choose.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "collectives/barrier_mode.hpp"
#include "collectives/selector/call_times.hpp"
#include "collectives/selector/effort.hpp"

namespace cohort {
namespace {

// The time for which the algorithm keeps a rank busy, without the shared resource: the next call has to wait for it.
double busy_seconds(const Algorithm& algorithm, Problem problem, const ChoiceProfile& profile) {
  Network& network = problem.network;
  network.shared_alpha = network.shared_beta = network.latency = network.burst = 0;
  return estimated(algorithm, problem, profile).times.alone;
}

struct Candidate {
  const Algorithm* algorithm = nullptr;
  Cost cost;
  CallTimes times;
  double price = 0;
  bool is_played = false;
};

// Plays all algorithms that may be the cheapest. If the effort is too large, none counts as played, because a played
// time is mostly shorter than an estimate; but a play may show that an estimate is too short.
void play_those_that_may_be_cheapest(std::vector<Candidate>& candidates, const Problem& problem,
                                     const ChoiceProfile& profile) {
  const PlayingLimits& limits = profile.playing;
  std::vector<Candidate> after = candidates;
  std::vector<Candidate*> order;
  for (Candidate& candidate : after) order.push_back(&candidate);
  std::ranges::stable_sort(order, {}, &Candidate::price);
  const auto effort_of = [&](const Candidate& candidate) {
    return effort_of_playing(*candidate.algorithm, candidate.cost, problem, limits);
  };
  double least = order.front()->price;
  double left = most_effort(problem, least, limits);
  for (const Candidate* candidate : order) {
    if (candidate->price <= limits.worth_playing * least) left -= effort_of(*candidate);
  }
  if (left < 0) return;
  left = most_effort(problem, least, limits);
  least = std::numeric_limits<double>::infinity();
  for (Candidate* candidate : order) {
    if (candidate->price > limits.worth_playing * least) break;
    if (is_empty(candidate->cost, problem)) return;
    if ((left -= effort_of(*candidate)) < 0) {
      for (std::size_t i = 0; i < after.size(); ++i) {
        if (after[i].price > candidates[i].price) candidates[i] = after[i];
      }
      return;
    }
    if (!shared_is_all(candidate->cost, problem, limits)) {
      candidate->times = played(*candidate->algorithm, problem, profile);
      candidate->price = price_of(candidate->times, profile);
    }
    candidate->is_played = true;
    least = std::min(least, candidate->price);
  }
  candidates = std::move(after);
}

std::vector<Candidate> candidates_for(const Problem& problem, const ChoiceProfile& profile) {
  std::vector<Candidate> candidates;
  for (const Algorithm& algorithm : registry()) {
    if (!is_eligible(algorithm, problem, profile)) continue;
    const auto [times, cost] = estimated(algorithm, problem, profile);
    candidates.push_back({&algorithm, cost, times, price_of(times, profile), false});
  }
  if (candidates.size() > 1) play_those_that_may_be_cheapest(candidates, problem, profile);
  return candidates;
}

}  // namespace

bool all_know_sizes(const Problem& problem) { return problem.operation != Operation::index || problem.blocks.equal(); }

Problem as_all_know(const Problem& problem) {
  Problem known = problem;
  known.in_place = false;
  known.transit_sizes.clear();
  if (!all_know_sizes(problem)) {
    known.blocks = Blocks(std::vector<Count>(static_cast<std::size_t>(problem.ranks)));
    known.receive_blocks = known.blocks;
  }
  return known;
}

bool is_eligible(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile) {
  const Traits& traits = algorithm.traits;
  if (algorithm.operation != problem.operation || traits.for_simplex) return false;
  if (traits.slow_to_make && problem.ranks > profile.playing.most_ranks_if_slow_to_make) return false;
  // Without a mesh the algorithm would be the same as another one on a line.
  if (traits.uses_mesh && problem.mesh.empty()) return false;
  return !obstacle(algorithm, problem);
}

double price_of(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile) {
  const bool is_unknown = is_empty(cost_on_hosts(algorithm, problem), problem);
  const CallTimes times =
      is_unknown ? estimated(algorithm, problem, profile).times : played(algorithm, problem, profile);
  return price_of(times, profile) + price_of_signals(problem).seconds;
}

std::vector<Priced> prices(const Problem& problem, const ChoiceProfile& profile) {
  std::vector<Priced> prices;
  const double signals = price_of_signals(problem).seconds;
  for (const Candidate& candidate : candidates_for(as_all_know(problem), profile)) {
    prices.push_back({candidate.algorithm, candidate.price + signals, candidate.is_played});
  }
  return prices;
}

Choice choose(const Problem& problem, const ChoiceProfile& profile) {
  const Problem known = as_all_know(problem);  // without the barrier's signals, which cost the same for all algorithms
  const std::vector<Candidate> candidates = candidates_for(known, profile);
  double least = std::numeric_limits<double>::infinity();
  for (const Candidate& candidate : candidates) least = std::min(least, candidate.price);
  const Algorithm* best = nullptr;
  std::pair least_busy(std::numeric_limits<double>::infinity(), 0.0);
  for (const Candidate& candidate : candidates) {
    if (candidate.price > profile.as_cheap * least) continue;
    const std::pair busy(candidate.times.in_a_row, busy_seconds(*candidate.algorithm, known, profile));
    if (best != nullptr && busy >= least_busy) continue;
    least_busy = busy;
    best = candidate.algorithm;
  }
  if (best == nullptr) throw std::logic_error("no algorithm for " + std::string(name_of(problem.operation)));
  return {best, {}, best->traits.uses_mesh ? problem.mesh : std::vector<Rank>{}};
}

}  // namespace cohort
