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

}  // namespace cohort
