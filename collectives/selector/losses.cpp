// SPDX-License-Identifier: Apache-2.0
#include "collectives/selector/losses.hpp"

#include <algorithm>

namespace cohort {
namespace {

// The volume, in elements, that is lost: this part of the volume beyond the free bytes.
Count lost_volume(const Cost& cost, const Problem& problem, double part, Count free_bytes) {
  const Count long_bytes = std::max<Count>(cost.volume * problem.element_bytes - free_bytes, 0);
  return static_cast<Count>(part * static_cast<double>(long_bytes)) / problem.element_bytes;
}

}  // namespace

Cost with_losses(const Algorithm& algorithm, const Problem& problem, const Cost& cost, const ChoiceProfile& profile) {
  Cost practical = cost;
  if (algorithm.traits.drifts) {
    practical.volume += lost_volume(cost, problem, profile.drift, cost.rounds * profile.drift_free_bytes);
  }
  if (!algorithm.traits.neighbours && problem.network.burst > 0) {
    const Count passes = problem.operation == Operation::combine ? 2 : 1;
    practical.volume += lost_volume(cost, problem, profile.crossing, passes * profile.crossing_free_bytes);
  }
  return practical;
}

double shared_in_turn(const Cost& cost, const Problem& problem, const ChoiceProfile& profile) {
  const Count in_turn = cost.rounds - cost.overlapped + cost.inner_rounds - cost.inner_overlapped;
  if (problem.ranks < profile.in_turn_from_ranks || cost.messages > in_turn) return 0;
  const double longer = (profile.in_turn - 1) * static_cast<double>(cost.messages) * problem.network.shared_alpha;
  return shared_seconds(cost, problem) + longer;
}

LinkLoads::LinkLoads(const Problem& problem)
    : problem_(problem),
      ranks_per_host_(ranks_per_host(problem)),
      out_(static_cast<std::size_t>(problem.ranks)),
      in_(out_) {}

void LinkLoads::add(Rank sender, Rank receiver, Count elements) {
  const auto from = static_cast<std::size_t>(sender / ranks_per_host_);
  const auto to = static_cast<std::size_t>(receiver / ranks_per_host_);
  if (from == to) return;
  for (Load* load : {&out_[from], &in_[to]}) {
    ++load->starts;
    load->bytes += static_cast<double>(elements * problem_.element_bytes);
  }
}

double LinkLoads::seconds_in_a_row(const ChoiceProfile& profile) const {
  const Network& network = problem_.network;
  const double passes_at_once = network.burst / profile.calls_in_a_row;
  double longest = 0;
  for (const auto* loads : {&out_, &in_}) {
    for (const Load& load : *loads) {
      const double wire_s = network.beta * std::max(load.bytes - passes_at_once, 0.0);
      longest = std::max(longest, network.alpha * load.starts + wire_s);
    }
  }
  return longest;
}

}  // namespace cohort
