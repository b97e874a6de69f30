// SPDX-License-Identifier: Apache-2.0
// The binomial tree over the ranks in cyclic order from the root, and the places of the blocks of a scatter or gather
// along this tree. A subtree is a run of positions, so its blocks lie side by side, except at the last rank, where they
// wrap around.
#pragma once

#include <vector>

#include "collectives/cost.hpp"
#include "collectives/patterns/cyclic_blocks.hpp"

namespace cohort {

class BinomialBlocks {
 public:
  // `root_buffer` holds all blocks at the root; `own_buffer` holds this rank's block. Takes scratch memory of the
  // schedule for the other blocks of its subtree. `blocks` must outlive this object.
  BinomialBlocks(const Blocks& blocks, Rank root, Rank me, Buffer root_buffer, Buffer own_buffer, Schedule& schedule);

  int levels() const { return ceil_log2(order_.ranks); }
  bool is_root() const { return position_ == 0; }

  // The edges of one level join positions that are 2^level apart.
  struct Edge {
    enum class End : std::uint8_t { none, parent, child };  // this rank's end of the edge
    End end = End::none;
    Rank peer = 0;
    Segments blocks;  // of the child's subtree, at their places on this rank
  };
  Edge edge(int level) const;

  Segment own() const { return own_; }

 private:
  RootedOrder order_;
  CyclicBlocks blocks_;
  Rank position_;
  Rank end_;  // the subtree is position_ ... end_ - 1
  Segment own_;
  Segment all_;      // at the root
  Segment passing_;  // elsewhere: the blocks of position_ + 1 ... end_ - 1
};

namespace costs {

Cost binomial_blocks(const Problem& problem);
Cost linear_blocks(const Problem& problem);  // between the root and each other rank, one after the other

}  // namespace costs
}  // namespace cohort
