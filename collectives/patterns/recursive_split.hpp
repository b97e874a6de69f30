// SPDX-License-Identifier: Apache-2.0
// The tree of recursive splitting: the ranks are split in two, the side without the root gets a root of its own, and so
// on. Every subtree is a contiguous range of ranks, so with any root partial results keep the operands' order and
// blocks stay side by side. Split in the middle it has depth ceil(log2 p).
// Source: Watts 1994, sections 5.1 (minimum spanning tree by recursive splitting) and 7 (unequal blocks); CCL section
// 4.2 for the binomial case.
#pragma once

#include "collectives/cost.hpp"

namespace cohort {

// The rule by which a range of ranks is split.
class SplitRule {
 public:
  // Splits in the middle.
  SplitRule() = default;

  // Watts' rule for the scatter of unequal blocks. After a split, the root still has to send the blocks of its side
  // except its own, and so has the other side's root. The split leaves the root with at least as much to send as the
  // other side's root, by as little as possible. So the root is the last to finish, and never waits. A split in the
  // middle is taken if it differs by no more than is sent during one start-up. Keeps a reference to the problem's
  // blocks.
  static SplitRule by_blocks(const Problem& problem);

  // The first rank of the right side.
  Rank split(Rank first, Rank last, Rank root) const;

  // Levels of the tree over first ... last - 1.
  int levels(Rank first, Rank last, Rank root) const;

 private:
  // How many elements more the root has to send than the other side's root.
  Count lead(Rank first, Rank last, Rank root, Rank split) const;

  const Blocks* blocks_ = nullptr;
  Count tolerated_ = 0;
};

struct SplitEdge {
  int level = 0;  // 0 for the outermost split
  Rank parent = 0;
  Rank child = 0;
  Rank first = 0;  // the child's subtree is first ... last - 1
  Rank last = 0;
};

// The tree as one rank sees it.
struct SplitTree {
  SplitTree(Rank ranks, Rank root, Rank me, const SplitRule& rule = {});

  int levels = 0;  // of the whole tree: ceil(log2 ranks) where it is split in the middle
  bool is_root = false;
  SplitEdge up;                    // the edge to the parent, unless this is the root
  SmallVector<SplitEdge, 8> down;  // the edges to the children, outermost first
};

// The places of the blocks of a scatter or gather on one rank. At the root, all blocks are in its buffer. At an inner
// node, the blocks of its subtree are in scratch memory, except its own block.
class SubtreeBlocks {
 public:
  // `root_buffer` holds all blocks at the root; `own_buffer` holds this rank's block. Takes scratch memory of the
  // schedule.
  SubtreeBlocks(const SplitTree& tree, const Blocks& blocks, Rank me, Buffer root_buffer, Buffer own_buffer,
                Schedule& schedule);

  // Blocks first ... last - 1: the subtree of one child.
  Segment of_child(const SplitEdge& edge) const { return place(edge.first, edge.last); }

  // The blocks of this rank's own subtree, for the edge to the parent.
  Segments of_all() const;

  // This rank's block at the root, and its destination.
  const Segment& own() const { return own_; }
  Segment own_at_root() const { return place(me_, me_ + 1); }

 private:
  Segment place(Rank first, Rank last) const;

  const SplitTree& tree_;
  const Blocks& blocks_;
  const Rank me_;
  const Buffer buffer_;
  const Segment own_;
  Segment passing_;
};

// The scatter and the gather along the tree: each message holds the blocks of a whole subtree. All ranks get the same
// number of rounds.
Schedule scatter_down(const SplitTree& tree, const Problem& problem, Rank me);
Schedule gather_up(const SplitTree& tree, const Problem& problem, Rank me);

namespace costs {

// The cost of a scatter or gather along the tree that is split in the middle, or by the problem's blocks.
Cost recursive_split(const Problem& problem);
Cost weighted_split(const Problem& problem);

}  // namespace costs
}  // namespace cohort
