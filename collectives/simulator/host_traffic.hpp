// What passes the hosts' links in a round, where ranks share hosts (Problem::within_host).
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

  // Looks at one round.
  void look(std::span<const RoundMoves* const> parts);

  // As many elements as this message between hosts would have if it passed the links alone: all messages of the round
  // that leave its sender's host, or reach its receiver's, take the same time.
  double elements_on_link(const Move& move) const;

  bool between() const { return between_; }  // whether anything goes between hosts
  bool inner() const { return inner_; }      // or within one
  Count most_between() const;                // elements that a host sends to others, or gets from them
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
  Ends hosts_;   // what goes between hosts
  Ends ranks_;   // likewise
  Ends inside_;  // by rank, what goes within hosts
  bool between_ = false;
  bool inner_ = false;
};

}  // namespace cohort::simulator
