// SPDX-License-Identifier: Apache-2.0
#include "collectives/simulator.hpp"

#include <algorithm>
#include <thread>

namespace cohort {
namespace {

using simulator::HostTraffic;
using simulator::RoundMoves;
using simulator::Times;

int threads_for(const Problem& problem, int wished) {
  static constexpr Rank worth_a_thread = 256;  // ranks
  if (wished > 0) return wished;
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  return std::clamp(problem.ranks / worth_a_thread, 1, std::max(cores, 1));
}

void count(Cost& cost, std::span<const RoundMoves* const> parts, const HostTraffic& traffic) {
  bool sent = false;
  Count most_sent = 0;
  Count most_messages = 0;
  Count most_combined = 0;
  for (const RoundMoves* part : parts) {
    sent = sent || !part->sends.empty();
    most_sent = std::max(most_sent, part->most_sent);
    most_messages = std::max(most_messages, part->most_messages);
    most_combined = std::max(most_combined, part->most_combined);
    cost.total += part->total;
    cost.messages += static_cast<Count>(part->sends.size());
  }
  cost.more_starts += std::max<Count>(most_messages - 1, 0);
  cost.combined += most_combined;
  if (traffic.is_known()) {
    cost.rounds += traffic.between() ? 1 : 0;
    cost.volume += traffic.most_between();
    cost.inner_rounds += traffic.inner() ? 1 : 0;
    cost.inner_volume += traffic.most_inner();
  } else {
    cost.rounds += sent ? 1 : 0;
    cost.volume += most_sent;
  }
}

void report(std::span<const RoundMoves* const> parts, const std::vector<Times>& times, std::size_t round,
            const std::function<void(const TimedMessage&)>& on_transfer) {
  auto time = times.begin();
  for (const RoundMoves* part : parts) {
    for (std::size_t i = 0; i < part->sends.size(); ++i, ++time) {
      const simulator::Move& move = part->sends[i];
      on_transfer({round, move.from, move.to, &part->segments[i], time->start, time->end});
    }
  }
}

}  // namespace

Simulation simulate(const Algorithm& algorithm, const Problem& problem, Ports ports,
                    const std::function<void(const TimedMessage&)>& on_transfer, const SimulationOptions& options) {
  static constexpr double making = 0.8;  // making the rounds takes this part of the time
  const bool observed = on_transfer != nullptr;
  simulator::Moves moves(algorithm, problem, threads_for(problem, options.threads), observed);
  simulator::Clocks clocks(problem, ports, algorithm.traits.multi_ported);
  Simulation simulation;
  std::vector<Times> times;
  std::size_t round = 0;
  const auto progress = [&](double rounds_done) {
    const auto all = static_cast<double>(std::max<std::size_t>(moves.rounds(), 1));
    if (options.on_progress) options.on_progress(std::min(rounds_done / all, 1.0));
  };
  do {
    const auto done = static_cast<double>(round);
    moves.make(round, [&](double rounds) { progress(done + making * rounds); });
    for (std::size_t i = 0; i < moves.made(); ++i, ++round) {
      const auto& parts = moves.round(i);
      times.clear();
      clocks.play(parts, observed ? &times : nullptr);
      count(simulation.cost, parts, clocks.traffic());
      if (observed) report(parts, times, round, on_transfer);
    }
    progress(static_cast<double>(round));
  } while (round < moves.rounds());
  simulation.seconds = clocks.latest();
  return simulation;
}

}  // namespace cohort
