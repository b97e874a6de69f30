// SPDX-License-Identifier: Apache-2.0
#include "collectives/selector/effort.hpp"

#include <algorithm>

#include "collectives/dataflow.hpp"

namespace cohort {

bool shared_is_all(const Cost& cost, const Problem& problem, const PlayingLimits& limits) {
  Problem alone = problem;
  alone.network.shared_alpha = alone.network.shared_beta = 0;
  return shared_seconds(cost, problem) > limits.shared_is_all * seconds_by_data(cost, alone);
}

double effort_of_playing(const Algorithm& algorithm, const Cost& cost, const Problem& problem,
                         const PlayingLimits& limits) {
  if (shared_is_all(cost, problem, limits)) return 0;
  double weight = 1;
  if (reduces(problem.operation)) {
    const auto in_progress = std::min<double>(static_cast<double>(cost.rounds), Dataflow::default_window);
    weight += in_progress / limits.rounds_a_message;
  }
  if (algorithm.traits.slow_to_make) weight += problem.ranks / limits.ranks_a_message;
  return weight * static_cast<double>(cost.messages);
}

double most_effort(const Problem& problem, double least_estimate_s, const PlayingLimits& limits) {
  if (!problem.blocks.equal()) {
    const double playing_s = std::max(limits.part_of_call * least_estimate_s, limits.least_s);
    return std::min(playing_s / limits.message_s, limits.most_messages);
  }
  const double by_ranks = limits.messages_a_rank * std::min(problem.ranks, limits.counted_ranks);
  return std::clamp(std::max(by_ranks, least_estimate_s / limits.call_s_a_message), limits.least_messages,
                    limits.most_messages);
}

}  // namespace cohort
