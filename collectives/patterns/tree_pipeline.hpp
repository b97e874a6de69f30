// SPDX-License-Identifier: Apache-2.0
// Broadcasts down a tree, reductions up a tree, and signals in both directions; for whole vectors, or for blocks that
// follow one another.
#pragma once

#include "collectives/cost.hpp"
#include "collectives/patterns/tree.hpp"

namespace cohort {

// The rounds of n blocks that go down a tree. A reduction plays them backward.
class TreePipeline {
 public:
  TreePipeline(const Tree& tree, Rank blocks);

  std::size_t rounds() const {
    return tree_.rounds == 0 || blocks_ == 0 ? 0
                                             : static_cast<std::size_t>(tree_.rounds + (blocks_ - 1) * tree_.period);
  }
  const Tree& tree() const { return tree_; }

  // One message of a round. No block: no message.
  struct Move {
    static constexpr Rank none = -1;
    Rank peer = 0;
    Rank block = none;
    std::size_t child = 0;  // the index of the peer among the children
    explicit operator bool() const { return block != none; }
  };
  Move from_parent(std::size_t round) const;
  Move to_child(std::size_t round) const;

 private:
  Tree tree_;
  Rank blocks_;
};

// The number of blocks for a pipeline down or up the tree: the parameter "blocks", or the best number.
Rank tree_blocks(const Problem& problem, const Tree& tree);

// Broadcasts the vector from the root's output.
Schedule tree_broadcast(const Problem& problem, const Tree& tree, Rank blocks = 1);

// Reduces. Keeps the operands' order in the trees of which tree.hpp says this.
Schedule tree_reduction(const Problem& problem, const Tree& tree, Rank me, Rank blocks = 1);

// Signals from all ranks to the root. An appended schedule starts at the root when all ranks have signalled.
Schedule tree_fan_in(const Tree& tree);

// Signals from the root to all ranks, after the root has completed all earlier actions.
Schedule tree_fan_out(const Tree& tree);

// The cost of a broadcast or reduction along the tree, as any rank sees it.
Cost tree_cost(const Problem& problem, const Tree& tree, Rank blocks = 1);

}  // namespace cohort
