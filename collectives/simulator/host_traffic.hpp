// SPDX-License-Identifier: Apache-2.0
// The traffic on the hosts' links in a round, if ranks share hosts (Problem::within_host).
#pragma once

#include <span>
#include <vector>

#include "collectives/simulator/moves.hpp"

namespace cohort::simulator {

class HostTraffic {
 public:
  explicit HostTraffic(const Problem& problem);

  bool is_known() const { return ranks_per_host_ > 1; }
  bool is_inner(const Move& move) const { return move.from / ranks_per_host_ == move.to / ranks_per_host_; }

  // Counts one round.
  void look(std::span<const RoundMoves* const> parts);

  // The length, in elements, of a message that would take as long on a link of its own as this message takes on the
  // shared links. All messages of the round that leave the sender's host, or reach the receiver's, take the same time.
  double elements_on_link(const Move& move) const;

  bool between() const { return between_; }  // whether any message goes between hosts
  bool inner() const { return inner_; }      // whether any message goes within a host
  Count most_between() const;                // most elements that a host sends to others, or receives from them
  Count most_inner() const;                  // most elements that a rank sends or receives within its host

 private:
  struct Ends {
    explicit Ends(Rank number) : out(static_cast<std::size_t>(number)), in(out) {}
    void clear();
    void add(Rank from, Rank to, Count elements);
    Count most() const;
    std::vector<Count> out;
    std::vector<Count> in;
  };

  Rank ranks_per_host_;
  Ends hosts_;   // between hosts, by host
  Ends ranks_;   // between hosts, by rank
  Ends inside_;  // within hosts, by rank
  bool between_ = false;
  bool inner_ = false;
};

}  // namespace cohort::simulator
