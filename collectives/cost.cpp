// SPDX-License-Identifier: Apache-2.0
#include "collectives/cost.hpp"

#include <algorithm>

namespace cohort {

Cost operator+(const Cost& a, const Cost& b) {
  return {a.rounds + b.rounds,
          a.volume + b.volume,
          a.total + b.total,
          a.combined + b.combined,
          a.messages + b.messages,
          a.more_starts + b.more_starts,
          a.overlapped + b.overlapped,
          a.inner_rounds + b.inner_rounds,
          a.inner_volume + b.inner_volume,
          a.inner_overlapped + b.inner_overlapped};
}

Cost within_hosts(const Cost& cost) {
  Cost inner = cost;
  inner.rounds = inner.volume = inner.overlapped = 0;
  inner.inner_rounds += cost.rounds;
  inner.inner_volume += cost.volume;
  inner.inner_overlapped += cost.overlapped;
  return inner;
}

namespace {

double in_bytes(Count elements, Count element_bytes) {
  return static_cast<double>(elements) * static_cast<double>(element_bytes);
}

// Seconds that a link takes for so many elements.
double link_seconds(const Network& network, Count elements, Count element_bytes) {
  return network.beta * std::max(in_bytes(elements, element_bytes) - network.burst, 0.0);
}

// Seconds with so many latencies between hosts and within hosts.
double seconds_with(Count latencies, Count inner_latencies, const Cost& cost, const Problem& problem) {
  const Network& network = problem.network;
  const Network inner = network_within_host(problem);
  const double rounds =
      static_cast<double>(cost.rounds + cost.more_starts) * network.alpha +
      static_cast<double>(latencies) * network.latency + link_seconds(network, cost.volume, problem.element_bytes) +
      static_cast<double>(cost.inner_rounds) * inner.alpha + static_cast<double>(inner_latencies) * inner.latency +
      link_seconds(inner, cost.inner_volume, problem.element_bytes) +
      network.gamma * in_bytes(cost.combined, problem.element_bytes);
  return std::max(rounds, shared_seconds(cost, problem));
}

}  // namespace

double seconds(const Cost& cost, const Problem& problem) {
  return seconds_with(cost.rounds, cost.inner_rounds, cost, problem);
}

double seconds_by_data(const Cost& cost, const Problem& problem) {
  return seconds_with(cost.rounds - cost.overlapped, cost.inner_rounds - cost.inner_overlapped, cost, problem);
}

double shared_seconds(const Cost& cost, const Problem& problem) {
  return static_cast<double>(cost.messages) * problem.network.shared_alpha +
         in_bytes(cost.total, problem.element_bytes) * problem.network.shared_beta;
}

}  // namespace cohort
