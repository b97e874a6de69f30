// SPDX-License-Identifier: Apache-2.0
// Two trees for machines that send or receive, but not both at once: two neighbouring ranks act as one node, which does
// both. In even rounds one of them receives the node's block while the other sends the node's block. In odd rounds the
// receiver passes its block on to its partner. So a block takes two rounds, and a rank does one thing in each.
//
// Of a couple, the lower rank talks to left children and the upper one to right children. A parent talks to the rank
// that does not send in that round. Played backward, a reduction keeps the operands' order: the lower rank collects the
// results from the left, the upper one those from the right, then one of them sends its result to the other.
//
// The root does its part alone. With an even number of ranks it has a partner, too, to which it passes all blocks.
// Source: Sanders, Speck and Traeff 2009, section 5.2; the roles within a couple are ours (theirs, one receiver and one
// sender, cannot keep the order in a reduction).
#pragma once

#include "collectives/patterns/two_tree_pipeline.hpp"

namespace cohort {

class CouplePipeline {
 public:
  // Position 0 is the root. Its partner, if any, is position 1 or the last one.
  CouplePipeline(Rank ranks, bool partner_is_next, Rank position, TwoTrees::Order order, Rank blocks);

  static TwoTrees trees(Rank ranks, TwoTrees::Order order) { return {(ranks - 1) / 2, order}; }

  // A block that this rank sends or receives in a broadcast.
  struct Move {
    static constexpr Rank none = -1;
    Rank peer = none;  // its position
    Rank block = 0;
    int tree = 0;
    bool with_partner = false;
    bool peer_is_right = false;  // the peer is a child or partner for ranks after this one
    explicit operator bool() const { return peer != none; }
  };
  Move in(std::size_t round) const;
  Move out(std::size_t round) const;
  std::size_t rounds() const { return 2 * pipeline_.rounds(); }

  // Whether the rank itself sends to a child in this tree.
  bool has_child(int tree) const { return children_[static_cast<std::size_t>(tree)]; }
  // Whether the rank receives from the parent in this tree; it then sends to its partner.
  bool has_parent(int tree) const { return parents_[static_cast<std::size_t>(tree)]; }
  bool has_partner() const { return partner_ != Move::none; }

 private:
  bool is_root() const { return couple_ == TwoTrees::outside; }
  Rank lower(Rank couple) const { return 2 * couple - 1 + shift_; }
  Move passed_on(std::size_t round, bool out) const;
  static bool upper_receives(const TwoTreePipeline& pipeline, std::size_t parity);

  Rank blocks_;
  int shift_;  // 1 if the root's partner is position 1, so that the couples begin one position later
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

// The number of blocks that the vector is cut into: the parameter "blocks", or the best number.
Rank couple_blocks(const Problem& problem, TwoTrees::Order order);

namespace costs {

Cost two_tree_couples(const Problem& problem, TwoTrees::Order order);

}  // namespace costs
}  // namespace cohort
