// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/tree.hpp"

#include <algorithm>
#include <cstdlib>

#include "collectives/patterns/recursive_split.hpp"

namespace cohort {

Tree placed(Tree tree, const RootedOrder& order) {
  tree.up.peer = order.rank_at(tree.up.peer);
  for (TreeEdge& edge : tree.down) edge.peer = order.rank_at(edge.peer);
  return tree;
}

Tree star(Rank ranks, Rank root, Rank me) {
  Tree tree;
  tree.rounds = ranks - 1;
  tree.is_root = me == root;
  // A broadcast sends first to the ranks before the root, in ascending order, then to those after it, in descending
  // order.
  if (me < root) tree.up = {root, me};
  if (me > root) tree.up = {root, root + ranks - 1 - me};
  if (!tree.is_root) return tree;
  for (Rank rank = 0; rank < root; ++rank) tree.down.push_back({rank, rank});
  for (Rank rank = ranks - 1; rank > root; --rank) tree.down.push_back({rank, root + ranks - 1 - rank});
  return tree;
}

Tree chains(Rank ranks, Rank root, Rank me) {
  const Rank left = root;
  const Rank right = ranks - 1 - root;
  const bool left_is_first = left > right;
  const bool both = left > 0 && right > 0;

  Tree tree;
  tree.rounds = std::max(left, right) + (both && left == right ? 1 : 0);
  tree.period = both ? 2 : 1;
  tree.is_root = me == root;
  const auto first_round = [&](bool is_left) { return both && is_left != left_is_first ? 1 : 0; };
  if (tree.is_root) {
    if (left > 0) tree.down.push_back({root - 1, first_round(true)});
    if (right > 0) tree.down.push_back({root + 1, first_round(false)});
    if (both && !left_is_first) std::swap(tree.down[0], tree.down[1]);
    return tree;
  }
  const bool is_left = me < root;
  const Rank away = is_left ? -1 : 1;
  const Count hop = first_round(is_left) + std::abs(me - root);
  tree.up = {me - away, hop - 1};
  if (me != (is_left ? 0 : ranks - 1)) tree.down.push_back({me + away, hop});
  return tree;
}

namespace {

// The rounds from a block's arrival at a subtree's root until all of its so many ranks have it. Each rank sends to the
// larger half first. In closed form: floor(log2 (n + 1)) - 1 + floor(log2 (2 (n + 1) / 3)).
Count in_order_rounds(Rank size) {
  if (size == 0) return 0;
  const int log = floor_log2(size + 1) - 1;
  return 2 * log + (size + 1 >= (Count{3} << log) ? 1 : 0);
}

struct Range {
  Rank first;
  Rank last;
  Rank size() const { return last - first; }
  bool contains(Rank rank) const { return first <= rank && rank < last; }
  Rank middle() const { return first + size() / 2; }  // the left half is no smaller than the right one
};

}  // namespace

Tree in_order_tree(Rank ranks, Rank root, Rank me) {
  Range larger{0, root};
  Range smaller{root + 1, ranks};
  if (larger.size() < smaller.size()) std::swap(larger, smaller);

  Tree tree;
  if (larger.size() > 0) tree.rounds = 1 + in_order_rounds(larger.size());
  if (smaller.size() > 0) tree.rounds = std::max(tree.rounds, 2 + in_order_rounds(smaller.size()));
  tree.period = ranks > 2 ? 2 : 1;
  tree.is_root = me == root;
  Count round = 0;
  for (Rank parent = root;;) {
    if (parent == me) {
      if (larger.size() > 0) tree.down.push_back({larger.middle(), round});
      if (smaller.size() > 0) tree.down.push_back({smaller.middle(), round + 1});
      return tree;
    }
    const bool is_in_larger = larger.contains(me);
    const Range mine = is_in_larger ? larger : smaller;
    if (!is_in_larger) ++round;
    if (mine.middle() == me) tree.up = {parent, round};
    ++round;
    parent = mine.middle();
    larger = {mine.first, parent};
    smaller = {parent + 1, mine.last};
  }
}

Tree halving_tree(Rank ranks, Rank root, Rank me) {
  const SplitTree split(ranks, root, me);
  Tree tree;
  tree.rounds = split.levels;
  tree.is_root = split.is_root;
  tree.up = {split.up.parent, split.up.level};
  for (const SplitEdge& edge : split.down) tree.down.push_back({edge.child, edge.level});
  return tree;
}

}  // namespace cohort
