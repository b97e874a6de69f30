// The tree of recursive halving: the ranks are split in the middle, the half without the root gets a root of its own,
// and so on. Every subtree is a contiguous range of ranks, so partial results keep the operands' order and blocks stay
// side by side, whatever the root. Depth ceil(log2 p).
// Source: Watts 1994 (minimum spanning tree by recursive splitting); CCL section 4.2 for the binomial case.
#pragma once

#include "cohort/types.hpp"
#include "collectives/small_vector.hpp"

namespace cohort {

struct SplitEdge {
  int level = 0;  // 0 for the outermost split
  Rank parent = 0;
  Rank child = 0;
  Rank first = 0;  // the child's subtree is first ... last - 1
  Rank last = 0;
};

// The tree as one rank sees it.
struct SplitTree {
  SplitTree(Rank ranks, Rank root, Rank me);

  int levels = 0;  // ceil(log2 ranks)
  bool is_root = false;
  SplitEdge up;                    // the edge to the parent, unless this is the root
  SmallVector<SplitEdge, 8> down;  // the edges to the children, outermost (largest subtree) first
};

}  // namespace cohort
