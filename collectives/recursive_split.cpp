#include "collectives/recursive_split.hpp"

#include "collectives/peers.hpp"

namespace cohort {

SplitTree::SplitTree(Rank ranks, Rank root, Rank me) : levels(ceil_log2(ranks)), is_root(me == root) {
  Rank first = 0;
  Rank last = ranks;
  for (int level = 0; last - first > 1; ++level) {
    const Rank middle = first + (last - first + 1) / 2;
    const bool root_is_left = root < middle;
    // The new root is the one that is closest to the old.
    SplitEdge edge{level, root, root_is_left ? middle : middle - 1, first, last};
    (root_is_left ? edge.first : edge.last) = middle;
    if (edge.child == me) up = edge;
    if (edge.parent == me) down.push_back(edge);

    const bool me_in_child = edge.first <= me && me < edge.last;
    if (me_in_child) root = edge.child;
    if (me < middle) {
      last = middle;
    } else {
      first = middle;
    }
  }
}

SubtreeBlocks::SubtreeBlocks(const SplitTree& tree, const Blocks& blocks, Rank me, Buffer root_buffer,
                             Buffer own_buffer, Schedule& schedule)
    : tree_(tree),
      blocks_(blocks),
      me_(me),
      buffer_(tree.is_root ? root_buffer : Buffer::scratch),
      own_{own_buffer, 0, blocks.count(me)} {
  const bool passes_on = !tree.is_root && !tree.down.empty();
  passing_ = schedule.add_scratch(passes_on ? blocks.range(Buffer::scratch, tree.up.first, tree.up.last).count : 0);
}

Segments SubtreeBlocks::of_all() const {
  Segments all;
  all.add(place(tree_.up.first, me_));
  all.add(own_);
  all.add(place(me_ + 1, tree_.up.last));
  return all;
}

Segment SubtreeBlocks::place(Rank first, Rank last) const {
  Segment range = blocks_.range(buffer_, first, last);
  if (!tree_.is_root) range.offset += passing_.offset - blocks_.offset(tree_.up.first);
  return range;
}

}  // namespace cohort
