// SPDX-License-Identifier: Apache-2.0
// The ports of ranks and the links of hosts while schedules are played by their data (by_data.hpp): the order of turns
// and their lengths.
#pragma once

#include <vector>

#include "collectives/dataflow.hpp"
#include "collectives/problem.hpp"

namespace cohort::simulator {

// A message on its way.
struct Flow {
  Action* send = nullptr;
  Action* receive = nullptr;  // once the message has met its receive
  Rank from = 0;
  Rank to = 0;
  double bytes = 0;        // bytes that still have to leave
  double started = 0;      // seconds: when the rank's port started the message
  double turn_bytes = 0;   // bytes that messages to this rank have sent in this turn
  std::size_t number = 0;  // the order of starts at one port
  bool begun = false;
  bool is_there = false;
  bool awaits_request = false;
  Flow* after = nullptr;   // the next message in the order of turns
  Flow* behind = nullptr;  // the next message to the same rank
  Flow* newest = nullptr;  // the last of those behind
};

// The messages that leave by one port. Messages to the same rank leave one after the other. Messages to different ranks
// take turns, in the order in which they have started.
class Port {
 public:
  void add(Flow& flow);
  bool is_empty() const { return first_ == nullptr; }
  Flow& take();                                   // begins the next turn
  void put_back(Flow& flow);                      // ends the turn of a message that has more to send
  void leave(Flow& flow, double most_in_a_turn);  // the message is done: the one behind it goes on with the turn

  Flow* serving = nullptr;
  double free_at = 0;  // seconds: no turn begins before
  double full_at = 0;  // seconds: when the bucket is full again
  bool wakes = false;  // an event at free_at is due

 private:
  void put_behind(Flow* other, Flow& flow);  // puts `flow` behind `other`, or first if that is nullptr

  Flow* first_ = nullptr;
  Flow* last_ = nullptr;
  std::size_t started_ = 0;
};

struct Turn {
  double leaves = 0;   // seconds: when the port is done with the turn
  double arrives = 0;  // seconds: when the message arrives, if this is its last turn
  bool is_last = false;
};

class Links {
 public:
  explicit Links(const Problem& problem);

  double bytes(Count elements) const { return static_cast<double>(elements) * element_bytes_; }
  double combining_seconds(Count elements) const { return network_.gamma * bytes(elements); }
  double latency(const Flow& flow) const { return is_inner(flow) ? inner_network_.latency : network_.latency; }

  // The rank's ports begin no turn for so many seconds.
  void hold(Rank rank, double start, double seconds);

  Port& first_port(const Flow& flow) { return out_[static_cast<std::size_t>(flow.from)]; }
  Port* next_port(const Port& port, const Flow& flow);  // the port after this one, or nullptr
  Turn serve(Port& port, Flow& flow, double now);
  double most_in_a_turn() const { return turn_bytes_; }

 private:
  struct Entrance {
    double free_at = 0;
    double full_at = 0;
  };

  bool shares_links() const { return ranks_per_host_ > 1; }
  bool is_inner(const Flow& flow) const {
    return shares_links() && flow.from / ranks_per_host_ == flow.to / ranks_per_host_;
  }
  std::size_t link_of(Rank rank) const { return static_cast<std::size_t>(ranks_ + rank / ranks_per_host_); }
  double arrival(const Flow& flow, double alpha, double bytes, double starts, double leaves);

  Network network_;
  Network inner_network_;
  double element_bytes_;
  double turn_bytes_;
  Rank ranks_;
  Rank ranks_per_host_;
  std::vector<Port> out_;  // of the ranks, then of the hosts if ranks share links
  std::vector<Entrance> in_;
};

}  // namespace cohort::simulator
