// Two trees for machines that send or receive, but not both at once: two neighbouring ranks act as one node that does
// both. In even rounds one of them receives what the node receives while the other sends what it sends; in odd rounds
// the one that has received passes the block on to its partner. So a block takes two rounds, and a rank does one thing
// in each.
//
// Of a couple, the lower rank deals with left children and the upper one with right children, and what comes from the
// parents goes to whoever does not send in that round. Played backward, a reduction keeps the operands' order: the
// lower rank gathers what is to the left, the upper one what is to the right, then one gives its part to the other.
//
// The root does its part alone; with an even number of ranks it has a partner, too, to whom it passes all blocks.
// Source: Sanders, Speck and Traeff 2009, section 5.2; who of a couple does what is ours (theirs, one receiver and one
// sender, cannot keep the order in a reduction).
#pragma once

#include "collectives/patterns/two_tree_pipeline.hpp"

namespace cohort {

class CouplePipeline {
 public:
  // Position 0 is the root. Its partner, if it has one, is position 1 or the last.
  CouplePipeline(Rank ranks, bool partner_is_next, Rank position, TwoTrees::Order order, Rank blocks);

  static TwoTrees trees(Rank ranks, TwoTrees::Order order) { return {(ranks - 1) / 2, order}; }

  // A block that passes in a broadcast.
  struct Move {
    static constexpr Rank none = -1;
    Rank peer = none;  // its position
    Rank block = 0;
    int tree = 0;
    bool with_partner = false;
    bool peer_is_right = false;  // of a child or partner: it stands for ranks behind this one
    explicit operator bool() const { return peer != none; }
  };
  Move in(std::size_t round) const;
  Move out(std::size_t round) const;
  std::size_t rounds() const { return 2 * pipeline_.rounds(); }

  // Whether in this tree the rank itself sends to a child.
  bool has_child(int tree) const { return children_[static_cast<std::size_t>(tree)]; }
  // Whether in this tree the rank gets the blocks from the parent, and its partner from it.
  bool has_parent(int tree) const { return parents_[static_cast<std::size_t>(tree)]; }
  bool has_partner() const { return partner_ != Move::none; }

 private:
  bool is_root() const { return couple_ == TwoTrees::outside; }
  Rank lower(Rank couple) const { return 2 * couple - 1 + shift_; }
  Move passed_on(std::size_t round, bool out) const;
  static bool upper_receives(const TwoTreePipeline& pipeline, std::size_t parity);

  Rank blocks_;
  int shift_;  // the couples begin after the root's partner
  Rank couple_ = TwoTrees::outside;
  bool is_upper_ = false;
  Rank partner_ = Move::none;
  TwoTreePipeline pipeline_;
  std::array<Rank, 2> from_{Move::none, Move::none};  // by the parity of the couple's rounds
  std::array<Rank, 2> to_{Move::none, Move::none};
  std::array<bool, 2> upper_receives_{};
  std::array<bool, 2> children_{};
  std::array<bool, 2> parents_{};
};

// The blocks that the vector is cut into, by default or by the parameter "blocks".
Rank couple_blocks(const Problem& problem, TwoTrees::Order order);

namespace costs {

Cost two_tree_couples(const Problem& problem, TwoTrees::Order order);

}  // namespace costs
}  // namespace cohort
