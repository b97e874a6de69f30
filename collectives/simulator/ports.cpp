// SPDX-License-Identifier: Apache-2.0
#include "collectives/simulator/ports.hpp"

#include <algorithm>
#include <limits>

namespace cohort::simulator {

void Port::add(Flow& flow) {
  flow.number = ++started_;
  const auto is_same_way = [&](const Flow& other) { return other.from == flow.from && other.to == flow.to; };
  Flow* same = serving != nullptr && is_same_way(*serving) ? serving : nullptr;
  for (Flow* other = first_; other != nullptr && same == nullptr; other = other->after) {
    if (is_same_way(*other)) same = other;
  }
  if (same == nullptr) return put_back(flow);
  (same->behind == nullptr ? same->behind : same->newest->behind) = &flow;
  same->newest = &flow;
}

Flow& Port::take() {
  serving = first_;
  first_ = first_->after;
  if (first_ == nullptr) last_ = nullptr;
  return *serving;
}

void Port::put_back(Flow& flow) {
  flow.turn_bytes = 0;
  put_behind(last_, flow);
}

void Port::put_behind(Flow* other, Flow& flow) {
  Flow*& place = other == nullptr ? first_ : other->after;
  flow.after = place;
  place = &flow;
  if (other == last_) last_ = &flow;
}

void Port::leave(Flow& flow, double most_in_a_turn) {
  Flow* const next = flow.behind;
  if (next == nullptr) return;
  next->newest = next->behind == nullptr ? nullptr : flow.newest;
  flow.behind = flow.newest = nullptr;
  if (flow.turn_bytes >= most_in_a_turn) return put_back(*next);
  next->turn_bytes = flow.turn_bytes;
  Flow* before = nullptr;
  for (Flow* other = first_; other != nullptr && other->number < next->number; other = other->after) before = other;
  put_behind(before, *next);
}

namespace {

// The length of a turn when connections share a link: about the bytes that one sends before the first acknowledgement.
// Measured on 16 hosts, with scatters along a binomial tree: 64 KiB take 5.1 ms (4.4 ms straight from the root), 256
// KiB 31.6 ms (19.8 ms).
constexpr double shortest_turn_bytes = 16 * 1024;
constexpr double most_turns = 64;  // of a message; more turns would only make the simulation slower

double turn_bytes(const Problem& problem) {
  if (problem.network.beta == 0) return std::numeric_limits<double>::infinity();
  const auto all = static_cast<double>((problem.count + problem.blocks.total()) * problem.element_bytes);
  return std::max(shortest_turn_bytes, all / most_turns);
}

// The seconds that a link takes for bytes that come at the time `from`. Its bucket is full at the time `full_at`, fills
// at the link's rate, and lets its bytes pass at once.
double wire_seconds(const Network& network, double bytes, double from, double& full_at) {
  if (network.burst == 0) return network.beta * bytes;
  full_at = std::max(full_at, from) + network.beta * bytes;
  return std::max(full_at - network.beta * network.burst - from, 0.0);
}

}  // namespace

Links::Links(const Problem& problem)
    : network_(problem.network),
      inner_network_(network_within_host(problem)),
      element_bytes_(static_cast<double>(problem.element_bytes)),
      turn_bytes_(turn_bytes(problem)),
      ranks_(problem.ranks),
      ranks_per_host_(ranks_per_host(problem)) {
  inner_network_.burst = shares_links() ? 0 : network_.burst;
  const Rank hosts = shares_links() ? ranks_ / ranks_per_host_ : 0;
  out_.resize(static_cast<std::size_t>(ranks_ + hosts));
  in_.resize(out_.size());
}

void Links::hold(Rank rank, double start, double seconds) {
  const auto place = static_cast<std::size_t>(rank);
  out_[place].free_at = std::max(out_[place].free_at, start) + seconds;
  in_[place].free_at = std::max(in_[place].free_at, start) + seconds;
}

Port* Links::next_port(const Port& port, const Flow& flow) {
  if (!shares_links() || is_inner(flow) || &port != &first_port(flow)) return nullptr;
  return &out_[link_of(flow.from)];
}

Turn Links::serve(Port& port, Flow& flow, double now) {
  const Network& network = is_inner(flow) ? inner_network_ : network_;
  if (next_port(port, flow) != nullptr) {
    flow.started = now;
    return {port.free_at = now + network.alpha, 0, false};
  }
  const double leaving = std::min(flow.bytes, turn_bytes_ - flow.turn_bytes);
  const double alpha = flow.begun ? 0 : network.alpha;
  const bool has_started = shares_links() && !is_inner(flow);  // the rank's port has taken the alpha
  port.free_at = now + (has_started ? 0 : alpha) + wire_seconds(network, leaving, now, port.full_at);
  flow.begun = true;
  flow.bytes -= leaving;
  flow.turn_bytes += leaving;
  return {port.free_at, arrival(flow, alpha, leaving, now, port.free_at), flow.bytes == 0};
}

double Links::arrival(const Flow& flow, double alpha, double bytes, double starts, double leaves) {
  const Network& network = is_inner(flow) ? inner_network_ : network_;
  const double comes = starts + network.latency;
  double arrives = leaves + network.latency;
  Entrance& rank = in_[static_cast<std::size_t>(flow.to)];
  const bool has_link = shares_links() && !is_inner(flow);
  Entrance& wire = has_link ? in_[link_of(flow.to)] : rank;
  const double begins = std::max(wire.free_at, comes);
  arrives = std::max(arrives, begins + (has_link ? 0 : alpha) + wire_seconds(network, bytes, begins, wire.full_at));
  wire.free_at = arrives;
  if (has_link) {
    rank.free_at = std::max(rank.free_at, flow.started + network.latency) + alpha;
    arrives = std::max(arrives, rank.free_at);
  }
  return arrives;
}

}  // namespace cohort::simulator
