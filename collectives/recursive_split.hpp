// The tree of recursive halving: the ranks are split in the middle, the half without the root gets a root of its own,
// and so on. Every subtree is a contiguous range of ranks, so partial results keep the operands' order and blocks stay
// side by side, whatever the root. Depth ceil(log2 p).
// Source: Watts 1994 (minimum spanning tree by recursive splitting); CCL section 4.2 for the binomial case.
#pragma once

#include "collectives/problem.hpp"

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

// Where the blocks of a scatter or gather stand on one rank: all of them in the root's own buffer, those of an inner
// node's subtree in scratch memory, but for its own block.
class SubtreeBlocks {
 public:
  // `root_buffer` holds all blocks at the root; `own_buffer` holds this rank's block. Takes scratch memory of the
  // schedule.
  SubtreeBlocks(const SplitTree& tree, const Blocks& blocks, Rank me, Buffer root_buffer, Buffer own_buffer,
                Schedule& schedule);

  // Blocks first ... last - 1, which one child's subtree is.
  Segment of_child(const SplitEdge& edge) const { return place(edge.first, edge.last); }

  // The blocks of this rank's own subtree, as they pass over the edge to the parent.
  Segments of_all() const;

  const Segment& own() const { return own_; }

 private:
  Segment place(Rank first, Rank last) const;

  const SplitTree& tree_;
  const Blocks& blocks_;
  const Rank me_;
  const Buffer buffer_;
  const Segment own_;
  Segment passing_;
};

}  // namespace cohort
