#include "collectives/simulator/clocks.hpp"

#include <algorithm>
#include <numeric>
#include <queue>

namespace cohort::simulator {
namespace {

double& at(std::vector<double>& values, Rank rank) { return values[static_cast<std::size_t>(rank)]; }

}  // namespace

Clocks::Clocks(const Problem& problem, Ports ports, bool multi_ported)
    : network_(problem.network),
      element_bytes_(static_cast<double>(problem.element_bytes)),
      ports_(ports),
      multi_ported_(multi_ported),
      send_free_(static_cast<std::size_t>(problem.ranks)),
      receive_free_(send_free_) {}

double Clocks::latest() const { return *std::max_element(send_free_.begin(), send_free_.end()); }

void Clocks::play(std::span<const RoundMoves* const> parts, std::vector<Times>* times) {
  if (ports_ == Ports::simplex) {
    play_simplex(parts, times);
  } else if (multi_ported_) {
    play_multi_ported(parts, times);
  } else {
    for (const RoundMoves* part : parts) play_duplex(part->sends, times);
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

void Clocks::play_duplex(std::span<const Move> moves, std::vector<Times>* times) {
  for (const Move& move : moves) {
    const double duration = busy(move);
    double& sender = at(send_free_, move.from);
    double& receiver = at(receive_free_, move.to);
    const double start = sender;
    sender += duration;
    receiver = std::max(sender + network_.latency, receiver + duration);
    if (times != nullptr) times->push_back({start, receiver});
  }
}

void Clocks::gather(std::span<const RoundMoves* const> parts) {
  moves_.clear();
  for (const RoundMoves* part : parts) moves_.insert(moves_.end(), part->sends.begin(), part->sends.end());
}

// A port takes what comes first.
void Clocks::play_multi_ported(std::span<const RoundMoves* const> parts, std::vector<Times>* times) {
  gather(parts);
  std::vector<Times> arrivals(moves_.size());
  for (std::size_t i = 0; i < moves_.size(); ++i) {
    double& sender = at(send_free_, moves_[i].from);
    arrivals[i].start = sender;
    sender += busy(moves_[i]);
    arrivals[i].end = sender + network_.latency;
  }
  std::vector<std::size_t> order(moves_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return arrivals[i].end; });
  for (const std::size_t i : order) {
    double& receiver = at(receive_free_, moves_[i].to);
    receiver = arrivals[i].end = std::max(arrivals[i].end, receiver + busy(moves_[i]));
  }
  if (times != nullptr) times->insert(times->end(), arrivals.begin(), arrivals.end());
}

// The message that can start earliest starts first; of several, that of the lowest rank.
void Clocks::play_simplex(std::span<const RoundMoves* const> parts, std::vector<Times>* times) {
  struct Candidate {
    double start;
    std::size_t index;
    bool operator>(const Candidate& other) const {
      return start != other.start ? start > other.start : index > other.index;
    }
  };
  gather(parts);
  const std::size_t first = times == nullptr ? 0 : times->size();
  if (times != nullptr) times->resize(first + moves_.size());
  // Both ports of a rank are one here: what keeps it busy stands in send_free_.
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
    const double end = start + busy(move);
    at(send_free_, move.from) = at(send_free_, move.to) = end;
    at(receive_free_, move.to) = std::max(at(receive_free_, move.to), end + network_.latency);
    if (times != nullptr) (*times)[first + candidate.index] = {start, end + network_.latency};
  }
}

}  // namespace cohort::simulator
