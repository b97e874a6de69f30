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

  // The length, in elements, of a message that takes as long on a link of its own as this one on the shared links. All
  // messages of the round that leave its sender's host, or reach its receiver's, take the same time.
  double elements_on_link(const Move& move) const;

  bool between() const { return between_; }  // whether any message goes between hosts
  bool inner() const { return inner_; }      // or within one
  Count most_between() const;                // elements that a host sends to others, or receives from them
  Count most_inner() const;                  // that a rank sends within its host, or receives

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
