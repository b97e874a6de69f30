#include "collectives/simulator.hpp"

#include <algorithm>
#include <queue>
#include <vector>

namespace cohort {
namespace {

// The clocks of all ranks within one round.
class Clocks {
 public:
  Clocks(Rank ranks, const Problem& problem, Ports ports, bool multi_ported)
      : network_(problem.network),
        element_bytes_(static_cast<double>(problem.element_bytes)),
        ports_(ports),
        multi_ported_(multi_ported),
        send_free_(static_cast<std::size_t>(ranks)),
        receive_free_(static_cast<std::size_t>(ranks)),
        combining_(static_cast<std::size_t>(ranks)) {}

  void add(const Transfer& transfer) { transfers_.push_back(transfer); }
  void combine(Rank rank, Count elements) { at(combining_, rank) += network_.gamma * bytes(elements); }

  // Sets the times of the round's transfers, and lets every rank enter the next round.
  std::vector<Transfer>& end_round() {
    ports_ == Ports::duplex ? play_duplex() : play_simplex();
    for (std::size_t rank = 0; rank < send_free_.size(); ++rank) {
      const double done = std::max(send_free_[rank], receive_free_[rank]) + combining_[rank];
      send_free_[rank] = receive_free_[rank] = done;
      combining_[rank] = 0;
    }
    return transfers_;
  }

  double latest() const { return *std::max_element(send_free_.begin(), send_free_.end()); }

 private:
  static double& at(std::vector<double>& values, Rank rank) { return values[static_cast<std::size_t>(rank)]; }
  double bytes(Count elements) const { return static_cast<double>(elements) * element_bytes_; }
  double busy(const Transfer& transfer) const {
    return network_.alpha + network_.beta * bytes(transfer.segments->count());
  }

  void play_duplex() {
    by_departure_.clear();
    for (Transfer& transfer : transfers_) {
      double& sender = at(send_free_, transfer.from);
      transfer.start = sender;
      sender += busy(transfer);
      transfer.end = sender + network_.latency;
      by_departure_.push_back(&transfer);
    }
    // A port takes what comes first; only where a rank receives several messages in a round does the order matter.
    if (multi_ported_) {
      std::stable_sort(by_departure_.begin(), by_departure_.end(),
                       [](const Transfer* a, const Transfer* b) { return a->end < b->end; });
    }
    for (Transfer* transfer : by_departure_) {
      double& receiver = at(receive_free_, transfer->to);
      receiver = transfer->end = std::max(transfer->end, receiver + busy(*transfer));
    }
  }

  // The message that can start earliest starts first; of several, that of the lowest rank.
  void play_simplex() {
    struct Candidate {
      double start;
      std::size_t index;
      bool operator>(const Candidate& other) const {
        return start != other.start ? start > other.start : index > other.index;
      }
    };
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates;
    // Both ports of a rank are one here.
    const auto earliest = [&](const Transfer& transfer) {
      return std::max(at(send_free_, transfer.from), at(send_free_, transfer.to));
    };
    for (std::size_t i = 0; i < transfers_.size(); ++i) candidates.push({earliest(transfers_[i]), i});
    while (!candidates.empty()) {
      const std::size_t index = candidates.top().index;
      Transfer& transfer = transfers_[index];
      const double start = earliest(transfer);
      const bool outdated = start > candidates.top().start;
      candidates.pop();
      if (outdated) {
        candidates.push({start, index});
        continue;
      }
      transfer.start = start;
      at(send_free_, transfer.from) = at(send_free_, transfer.to) = start + busy(transfer);
      transfer.end = start + busy(transfer) + network_.latency;
      at(receive_free_, transfer.to) = std::max(at(receive_free_, transfer.to), transfer.end);
    }
  }

  Network network_;
  double element_bytes_;
  Ports ports_;
  bool multi_ported_;
  std::vector<double> send_free_;  // seconds
  std::vector<double> receive_free_;
  std::vector<double> combining_;  // seconds of this round
  std::vector<Transfer> transfers_;
  std::vector<Transfer*> by_departure_;

 public:
  void start_round() { transfers_.clear(); }
};

}  // namespace

Simulation simulate(const Algorithm& algorithm, const Problem& problem, Ports ports,
                    const std::function<void(const Transfer&)>& on_transfer) {
  std::vector<Schedule> schedules;
  std::size_t rounds = 0;
  for (Rank me = 0; me < problem.ranks; ++me) {
    schedules.push_back(algorithm.schedule(problem, me));
    rounds = std::max(rounds, schedules.back().rounds());
  }
  Simulation simulation;
  Clocks clocks(problem.ranks, problem, ports, algorithm.multi_ported);
  std::vector<Round> storage(schedules.size());
  for (std::size_t i = 0; i < rounds; ++i) {
    clocks.start_round();
    Cost& cost = simulation.cost;
    bool any_sent = false;
    Count most_sent = 0;
    Count most_combined = 0;
    for (Rank me = 0; me < problem.ranks; ++me) {
      const auto index = static_cast<std::size_t>(me);
      if (i >= schedules[index].rounds()) continue;
      const Round& round = schedules[index].round(i, storage[index]);
      Count sent = 0;
      for (const Message& send : round.sends()) {
        clocks.add({i, me, send.peer, &send.segments, 0, 0});
        sent += send.segments.count();
        any_sent = true;
      }
      Count combined = 0;
      for (const Step& step : round.steps()) combined += step.kind == Step::Kind::copy ? 0 : step.target.count;
      clocks.combine(me, combined);
      cost.total += sent;
      most_sent = std::max(most_sent, sent);
      most_combined = std::max(most_combined, combined);
    }
    cost.rounds += any_sent ? 1 : 0;
    cost.volume += most_sent;
    cost.combined += most_combined;
    for (const Transfer& transfer : clocks.end_round()) {
      if (on_transfer) on_transfer(transfer);
    }
  }
  simulation.seconds = clocks.latest();
  return simulation;
}

}  // namespace cohort
