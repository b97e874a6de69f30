// SPDX-License-Identifier: Apache-2.0
// The clocks of all ranks, on a network of the linear model. simulator.hpp states the rules.
#pragma once

#include <span>
#include <vector>

#include "collectives/simulator/host_traffic.hpp"

namespace cohort {

enum class Ports : std::uint8_t { duplex, simplex };

namespace simulator {

// Seconds: when a message begins to leave, and when its receiver has it.
struct Times {
  double start = 0;
  double end = 0;
};

class Clocks {
 public:
  // `multi_ported`: a rank may receive several messages in a round.
  Clocks(const Problem& problem, Ports ports, bool multi_ported);

  // Plays one round of all ranks, given in parts of ascending ranks. Afterwards every rank's clock is at the begin of
  // its next round. Appends the times of all messages, in their order, to `times` unless that is nullptr.
  void play(std::span<const RoundMoves* const> parts, std::vector<Times>* times);

  double latest() const;

  const HostTraffic& traffic() const { return traffic_; }  // of the round played last

 private:
  double bytes(Count elements) const { return static_cast<double>(elements) * element_bytes_; }
  bool is_inner(const Move& move) const { return traffic_.is_known() && traffic_.is_inner(move); }
  double busy(const Move& move, double from, double& full) const;
  double latency(const Move& move) const;
  void play_single(std::span<const Move> moves, std::vector<Times>* times);
  void play_several(std::span<Times> times);
  void play_simplex(std::span<Times> times);

  Network network_;
  Network inner_network_;
  HostTraffic traffic_;
  double element_bytes_;
  Ports ports_;
  bool multi_ported_;
  std::vector<double> send_free_;     // seconds: when a rank can send the next message
  std::vector<double> receive_free_;  // seconds: when a rank can receive the next message
  std::vector<double> send_full_;     // seconds: when the bucket of a rank's link out is full again
  std::vector<double> receive_full_;  // seconds: when the bucket of its link in is full again
  std::vector<Move> moves_;           // of one round, if they are not played in the order of the ranks
  std::vector<Times> own_times_;      // of these moves, if the caller does not want them
};

}  // namespace simulator
}  // namespace cohort
