// What is played along a tree: broadcasts down it, reductions up it, signals either way. Whole vectors, or blocks that
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

  // One message of a round: over which edge, and which block. No block: no message.
  struct Move {
    static constexpr Rank none = -1;
    Rank peer = 0;
    Rank block = none;
    std::size_t child = 0;  // the place of the peer among the children
    explicit operator bool() const { return block != none; }
  };
  Move from_parent(std::size_t round) const;
  Move to_child(std::size_t round) const;

 private:
  Tree tree_;
  Rank blocks_;
};

// The blocks that are best for a pipeline down or up the tree, or what the parameter "blocks" says.
Rank tree_blocks(const Problem& problem, const Tree& tree);

// The vector goes from the root, where the output holds it, to all.
Schedule tree_broadcast(const Problem& problem, const Tree& tree, Rank blocks = 1);

// Keeps the operands' order in the trees that say so in tree.hpp.
Schedule tree_reduction(const Problem& problem, const Tree& tree, Rank me, Rank blocks = 1);

// Signals from all to the root. Whatever is appended starts at the root when all have signalled.
Schedule tree_fan_in(const Tree& tree);

// Signals from the root, once it has completed all that went before, to all.
Schedule tree_fan_out(const Tree& tree);

// Of a broadcast or reduction along the tree, which any rank may have seen.
Cost tree_cost(const Problem& problem, const Tree& tree, Rank blocks = 1);

}  // namespace cohort
