// SPDX-License-Identifier: Apache-2.0
// One rank's part in a pipelined broadcast along two trees, or, backward, in a reduction: in every round at most one
// block comes in and one goes out. Even blocks use the first tree, odd ones the second.
#pragma once

#include <array>

#include "collectives/cost.hpp"
#include "collectives/patterns/shifted_trees.hpp"
#include "collectives/patterns/two_trees.hpp"
#include "collectives/peers.hpp"

namespace cohort {

class TwoTreePipeline {
 public:
  // Node TwoTrees::outside is the root.
  TwoTreePipeline(const TwoTrees& trees, Rank node, Rank blocks);
  TwoTreePipeline(const ShiftedTrees& trees, Rank node, Rank blocks);

  // Adds the rounds of a broadcast in which each rank's node is its position.
  void add_broadcast(Schedule& schedule, const RootedOrder& order, const Blocks& blocks) const;

  // An edge, used every second round.
  struct Line {
    static constexpr int none = -1;
    Rank node = 0;  // at the other end
    Count first = 0;
    int tree = none;
    bool child_is_right = false;  // the child's subtree comes after the parent in rank order
    explicit operator bool() const { return tree != none; }
  };
  // The edge over which a block passes, to this rank or from it.
  struct Move {
    const Line* line = nullptr;
    Rank block = 0;
    explicit operator bool() const { return line != nullptr; }
  };
  Move in(std::size_t round) const { return move(in_[round % 2], round); }
  Move out(std::size_t round) const { return move(out_[round % 2], round); }
  std::size_t rounds() const { return rounds_; }

  // The edges that the rounds of one parity use, if any.
  const Line& line_in(std::size_t parity) const { return in_[parity]; }
  const Line& line_out(std::size_t parity) const { return out_[parity]; }

  // Whether the rank is an inner node of the tree.
  bool has_children(int tree) const { return out_[0].tree == tree || out_[1].tree == tree; }

  // Whether a broadcast sends a block over this edge after the parent's other edge of the same tree. If it is played
  // backward, this is the first of the two.
  bool is_last_child(const Line& line) const;

 private:
  Move move(const Line& line, std::size_t round) const {
    const Count block = line.tree + static_cast<Count>(round) - line.first;
    if (!line || block < line.tree || block >= blocks_) return {};
    return {&line, static_cast<Rank>(block)};
  }
  void add(std::array<Line, 2>& lines, const TwoTrees::Edge& edge, int tree, bool child_is_right);

  Rank blocks_;
  std::size_t rounds_;
  std::array<Line, 2> in_;  // by the round's parity
  std::array<Line, 2> out_;
};

// The number of blocks that the vector is cut into: the parameter "blocks", or the best number.
Rank two_tree_blocks(const Problem& problem, const TwoTrees& trees);

namespace costs {

// The cost of a pipeline of all blocks along the trees, from the root or to it.
Cost two_tree(const Problem& problem, const TwoTrees& trees);

}  // namespace costs
}  // namespace cohort
