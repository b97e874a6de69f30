// SPDX-License-Identifier: Apache-2.0
#include "collectives/simulator/clocks.hpp"

#include <algorithm>
#include <queue>

namespace cohort::simulator {
namespace {

double& at(std::vector<double>& values, Rank rank) { return values[static_cast<std::size_t>(rank)]; }

}  // namespace

Clocks::Clocks(const Problem& problem, Ports ports, bool multi_ported)
    : network_(problem.network),
      inner_network_(network_within_host(problem)),
      traffic_(problem),
      element_bytes_(static_cast<double>(problem.element_bytes)),
      ports_(ports),
      multi_ported_(multi_ported),
      send_free_(static_cast<std::size_t>(problem.ranks)),
      receive_free_(send_free_),
      send_full_(send_free_.size()),
      receive_full_(send_free_.size()) {}

// The seconds for which a message that comes at the time `from` keeps the sender's or the receiver's link busy. `full`
// is the time when the link's bucket is full again: it fills at the link's rate, and its bytes pass at once. Ranks that
// share a host's link each have a bucket, which counts all bytes that the host sends in the rank's rounds.
double Clocks::busy(const Move& move, double from, double& full) const {
  if (is_inner(move)) return inner_network_.alpha + inner_network_.beta * bytes(move.elements);
  const double on_link = traffic_.is_known() ? element_bytes_ * traffic_.elements_on_link(move) : bytes(move.elements);
  if (network_.burst == 0) return network_.alpha + network_.beta * on_link;
  full = std::max(full, from) + network_.beta * on_link;
  return network_.alpha + std::max(full - network_.beta * network_.burst - from, 0.0);
}

double Clocks::latency(const Move& move) const { return is_inner(move) ? inner_network_.latency : network_.latency; }

double Clocks::latest() const { return *std::max_element(send_free_.begin(), send_free_.end()); }

void Clocks::play(std::span<const RoundMoves* const> parts, std::vector<Times>* times) {
  if (traffic_.is_known()) traffic_.look(parts);
  if (ports_ == Ports::duplex && !multi_ported_) {
    for (const RoundMoves* part : parts) play_single(part->sends, times);
  } else {
    moves_.clear();
    for (const RoundMoves* part : parts) moves_.insert(moves_.end(), part->sends.begin(), part->sends.end());
    if (times == nullptr) own_times_.clear();
    std::vector<Times>& all = times == nullptr ? own_times_ : *times;
    all.resize(all.size() + moves_.size());
    const auto of_round = std::span(all).last(moves_.size());
    ports_ == Ports::duplex ? play_several(of_round) : play_simplex(of_round);
  }
  for (std::size_t rank = 0; rank < send_free_.size(); ++rank) {
    send_free_[rank] = receive_free_[rank] = std::max(send_free_[rank], receive_free_[rank]);
  }
  for (const RoundMoves* part : parts) {
    for (const Combining& combining : part->combining) {
      at(send_free_, combining.rank) += network_.gamma * bytes(combining.elements);
      at(receive_free_, combining.rank) = at(send_free_, combining.rank);
    }
  }
}

// Each receiver receives at most one message, so the order of the messages does not matter.
void Clocks::play_single(std::span<const Move> moves, std::vector<Times>* times) {
  for (const Move& move : moves) {
    double& sender = at(send_free_, move.from);
    double& receiver = at(receive_free_, move.to);
    const double start = sender;
    sender += busy(move, start, at(send_full_, move.from));
    const double comes = std::max(receiver, start + latency(move));
    receiver = std::max(sender + latency(move), comes + busy(move, comes, at(receive_full_, move.to)));
    if (times != nullptr) times->push_back({start, receiver});
  }
}

// A port takes the message that comes first; of messages that come at the same time, that of the lowest rank.
void Clocks::play_several(std::span<Times> times) {
  std::vector<std::size_t> order(moves_.size());
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    double& sender = at(send_free_, moves_[i].from);
    times[i].start = sender;
    sender += busy(moves_[i], sender, at(send_full_, moves_[i].from));
    times[i].end = sender + latency(moves_[i]);
    order[i] = i;
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return times[a].end < times[b].end; });
  for (const std::size_t i : order) {
    double& receiver = at(receive_free_, moves_[i].to);
    const double comes = std::max(receiver, times[i].start + latency(moves_[i]));
    receiver = times[i].end = std::max(times[i].end, comes + busy(moves_[i], comes, at(receive_full_, moves_[i].to)));
  }
}

// The message that can start earliest starts first; of several, that of the lowest rank.
void Clocks::play_simplex(std::span<Times> times) {
  struct Candidate {
    double start;
    std::size_t index;
    bool operator>(const Candidate& other) const {
      return start != other.start ? start > other.start : index > other.index;
    }
  };
  // In simplex, both ports of a rank are one port; send_free_ holds its time.
  const auto earliest = [this](const Move& move) {
    return std::max(at(send_free_, move.from), at(send_free_, move.to));
  };
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
  for (std::size_t i = 0; i < moves_.size(); ++i) candidates.push({earliest(moves_[i]), i});
  while (!candidates.empty()) {
    const Candidate candidate = candidates.top();
    candidates.pop();
    const Move& move = moves_[candidate.index];
    const double start = earliest(move);
    if (start > candidate.start) {
      candidates.push({start, candidate.index});
      continue;
    }
    const double end =
        start + std::max(busy(move, start, at(send_full_, move.from)), busy(move, start, at(receive_full_, move.to)));
    at(send_free_, move.from) = at(send_free_, move.to) = end;
    at(receive_free_, move.to) = std::max(at(receive_free_, move.to), end + latency(move));
    times[candidate.index] = {start, end + latency(move)};
  }
}

}  // namespace cohort::simulator
