// A tree over the ranks as one rank sees it, with the rounds of a broadcast along it; and the shapes of trees that
// several algorithms use. A shape that belongs to one algorithm stands in that algorithm's file.
#pragma once

#include "collectives/peers.hpp"
#include "collectives/small_vector.hpp"

namespace cohort {

struct TreeEdge {
  Rank peer = 0;
  Count round = 0;  // in which a broadcast's first block passes over it
};

struct Tree {
  Count rounds = 0;  // in which one block comes from the root to every rank
  Count period = 1;  // rounds from one block to the next; more than lie between a rank's first child and last
  bool is_root = false;
  TreeEdge up;                    // unless this is the root
  SmallVector<TreeEdge, 8> down;  // one a round, the earliest first
};

// The same tree over other ranks: what it calls rank i is the rank at position i.
Tree placed(Tree tree, const RootedOrder& order);

// In all these trees every subtree is a range of ranks, and of a rank's children on one side the nearest comes last. So
// a reduction, which plays the broadcast backward, combines neighbouring ranges, whatever the root.

// The root is the parent of all. For whole vectors: its period is too short for blocks.
Tree star(Rank ranks, Rank root, Rank me);

// A chain from the root to either end.
Tree chains(Rank ranks, Rank root, Rank me);

// On either side of the root a binary tree in which a rank stands between its left and its right subtree, both of
// nearly the same size. At most 2 floor(log2 p) rounds.
Tree in_order_tree(Rank ranks, Rank root, Rank me);

// Of recursive halving (recursive_split.hpp).
Tree halving_tree(Rank ranks, Rank root, Rank me);

}  // namespace cohort
