// SPDX-License-Identifier: Apache-2.0
#include "collectives/selector/call_times.hpp"

#include <algorithm>

#include "collectives/patterns/mesh.hpp"
#include "collectives/patterns/pipeline_blocks.hpp"
#include "collectives/peers.hpp"
#include "collectives/selector/losses.hpp"
#include "collectives/simulator.hpp"
#include "collectives/simulator/by_data.hpp"

namespace cohort {
namespace {

// Unequal blocks are played, because the places of the large blocks decide which messages wait for which. The condition
// is that all algorithms together can be played in a small part of the operation's own time: the next call may have
// other sizes.
bool plays_unequal_blocks(const Problem& problem, const PlayingLimits& limits) {
  if (problem.ranks > limits.most_messages_by_rounds / problem.ranks) return false;
  const Network& network = problem.network;
  const double ranks = problem.ranks;
  const double playing_s = has_root(problem.operation) ? limits.message_s * ranks + limits.block_size_s * ranks * ranks
                                                       : limits.message_s * ranks * ranks;
  const double least_s = ceil_log2(problem.ranks) * (network.alpha + network.latency) +
                         network.beta * static_cast<double>(problem.blocks.total() * problem.element_bytes);
  return playing_s <= std::max(limits.part_of_call * least_s, limits.least_s);
}

// A closed form counts the most that one rank sends. It does not count the bytes that each link's bucket lets pass at
// once, or those that refill it during pauses. All algorithms of a problem are played, or none, because a played
// algorithm looks faster.
bool plays_rounds(const Problem& problem, const PlayingLimits& limits) {
  if (!problem.blocks.equal()) return plays_unequal_blocks(problem, limits);
  if (problem.network.burst == 0) return false;
  const Count bytes = (problem.count + problem.blocks.total()) * problem.element_bytes;
  const Count messages_of_a_rank = std::max<Count>(problem.ranks, bytes / smallest_block_bytes);
  return problem.ranks <= limits.most_messages_by_rounds / messages_of_a_rank;
}

Estimate play_rounds(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile) {
  LinkLoads loads(problem);
  const auto on_transfer = [&](const TimedMessage& transfer) {
    loads.add(transfer.from, transfer.to, transfer.segments->count());
  };
  const auto [seconds, cost] =
      simulate(algorithm, problem, Ports::duplex, on_transfer, {.threads = 1, .on_progress = {}});
  const double shared = shared_seconds(cost, problem);
  return {{std::max(seconds, shared), std::max(loads.seconds_in_a_row(profile), shared)}, cost};
}

}  // namespace

bool is_empty(const Cost& cost, const Problem& problem) {
  return cost.volume == 0 && problem.operation != Operation::sync;
}

double price_of(const CallTimes& times, const ChoiceProfile& profile) {
  return (1 - profile.row_weight) * times.alone + profile.row_weight * std::max(times.alone, times.in_a_row);
}

Estimate estimated(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile) {
  Cost cost = cost_on_hosts(algorithm, problem);
  const double in_practice = seconds_by_data(with_losses(algorithm, problem, cost, profile), problem);
  if (is_empty(cost, problem) || !plays_rounds(problem, profile.playing))
    return {{std::max(in_practice, shared_in_turn(cost, problem, profile)), 0}, cost};
  // Both times are upper bounds, so the smaller one counts. In the play of rounds not all latencies overlap; in the
  // closed form no link rests.
  const double by_data = seconds_by_data(cost, problem);
  const double lost = in_practice - by_data;
  const auto [by_rounds, counted] = play_rounds(algorithm, problem, profile);
  if (!problem.blocks.equal()) {
    cost.messages = counted.messages;
    cost.total = counted.total;
  }
  const double alone = std::max(std::min(by_rounds.alone, by_data) + lost, shared_in_turn(cost, problem, profile));
  return {{alone, by_rounds.in_a_row + lost}, cost};
}

CallTimes played(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile) {
  Cost cost = cost_on_hosts(algorithm, problem);
  const double lost =
      seconds_by_data(with_losses(algorithm, problem, cost, profile), problem) - seconds_by_data(cost, problem);
  cost.messages = cost.total = 0;  // counted: closed forms count all blocks as the largest
  LinkLoads loads(problem);
  const auto on_message = [&](Rank from, Rank to, Count elements) {
    loads.add(from, to, elements);
    ++cost.messages;
    cost.total += elements;
  };
  const double alone =
      seconds_played_by_data([&](Rank me) { return algorithm.schedule(problem, me); }, problem, on_message);
  const double shared = shared_seconds(cost, problem);
  const double in_a_row = problem.network.burst == 0 ? 0 : std::max(loads.seconds_in_a_row(profile), shared) + lost;
  return {std::max({alone + lost, shared, shared_in_turn(cost, problem, profile)}), in_a_row};
}

}  // namespace cohort
