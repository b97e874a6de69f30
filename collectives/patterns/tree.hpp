// SPDX-License-Identifier: Apache-2.0
// A tree over the ranks as one rank sees it, with the rounds of a broadcast along it; and the shapes of trees that
// several algorithms use. A shape of a single algorithm is in that algorithm's file.
#pragma once

#include "collectives/peers.hpp"
#include "collectives/small_vector.hpp"

namespace cohort {

struct TreeEdge {
  Rank peer = 0;
  Count round = 0;  // of a broadcast's first block on this edge
};

struct Tree {
  Count rounds = 0;  // rounds until one block has come from the root to every rank
  Count period = 1;  // rounds from one block to the next; larger than from a rank's first child to its last
  bool is_root = false;
  TreeEdge up;                    // unless this is the root
  SmallVector<TreeEdge, 8> down;  // at most one in each round, the earliest first
};

// The same tree over other ranks: its rank i becomes the rank at position i.
Tree placed(Tree tree, const RootedOrder& order);

// In all these trees every subtree is a range of ranks. Of a rank's children on one side, the nearest comes last. So a
// reduction, which plays the broadcast backward, combines neighbouring ranges with any root.

// The root is the parent of all. For whole vectors: its period is too short for blocks.
Tree star(Rank ranks, Rank root, Rank me);

// A chain from the root to either end.
Tree chains(Rank ranks, Rank root, Rank me);

// A binary tree on either side of the root. Every rank stands between its left and its right subtree, which have nearly
// the same size. At most 2 floor(log2 p) rounds.
Tree in_order_tree(Rank ranks, Rank root, Rank me);

// The tree of recursive halving (recursive_split.hpp).
Tree halving_tree(Rank ranks, Rank root, Rank me);

}  // namespace cohort
