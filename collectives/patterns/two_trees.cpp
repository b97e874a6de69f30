// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/two_trees.hpp"

namespace cohort {

bool TwoTreeColours::of_inner(Rank node) const {
  bool colour = true;
  for (Rank at = tree_.root(); at != node; at = tree_.towards(at, node)) colour ^= half_is_odd_ != (node < at);
  return colour;
}

// The first rounds of the first tree's edges, as ranges. The left subtrees are complete. In a complete subtree of
// height h whose root is reached in round t, some node is reached in every round of t ... t + 2h.
template <class OnRange>
void TwoTrees::for_each_range(const OnRange& on_range) const {
  if (tree_.nodes == 0) return;
  Edge at{tree_.root(), first_round()};
  bool colour = true;
  while (true) {
    on_range(at.first, at.first);
    if (at.node > tree_.nodes || InOrderTree::is_leaf(at.node)) return;
    const Edge left = child_of(at, colour, InOrderTree::left(at.node));
    on_range(left.first, left.first + 2 * InOrderTree::height(left.node));
    const Edge next = child_of(at, colour, right(at.node));
    if (next.node == InOrderTree::none) return;
    colour ^= (next.first - at.first) % 2 != 0;
    at = next;
  }
}

TwoTrees::TwoTrees(Rank nodes, Order order) : tree_{nodes - nodes % 2}, colours_(tree_) {
  if (nodes % 2 != 0) {
    const bool is_top = order == Order::kept || nodes == 1;
    if (is_top) top_ = nodes;
    leaf_of_both_ = !is_top;
  }
  for_each_range([this](Count, Count last) { delay_ = std::max(delay_, last); });
}

TwoTrees::Edge TwoTrees::child_of(const Edge& parent, bool parent_colour, Rank child) const {
  if (child == InOrderTree::none) return {};
  // The edge to a leaf of both trees has the colour that its sibling's edge does not have.
  const bool colour = child > tree_.nodes
                          ? !colours_.of_child(parent.node, parent_colour, InOrderTree::left(parent.node))
                          : colours_.of_child(parent.node, parent_colour, child);
  return {child, parent.first + (colour == parent_colour ? 2 : 1)};
}

TwoTrees::Place TwoTrees::place_in_first(Rank node) const {
  Place place{{top_, 0}, {}, {}};
  Edge at{tree_.root(), 0};
  bool colour = true;
  while (at.node != node) {
    const Edge next = child_of(at, colour, node < at.node ? InOrderTree::left(at.node) : right(at.node));
    colour ^= (next.first - at.first) % 2 != 0;
    place.parent.node = at.node;
    at = next;
  }
  place.parent.first = at.first;
  place.is_right = place.parent.node < node;
  if (node <= tree_.nodes) {
    place.left = child_of(at, colour, InOrderTree::left(node));
    place.right = child_of(at, colour, InOrderTree::is_leaf(node) ? InOrderTree::none : right(node));
  }
  return place;
}

TwoTrees::Place TwoTrees::place(int tree, Rank node) const {
  Place place = place_in_first(mirrored(tree, node));
  for (Edge* edge : {&place.parent, &place.left, &place.right}) {
    edge->node = mirrored(tree, edge->node);
    edge->first += tree + first_round();
  }
  if (tree == 1) {
    std::swap(place.left, place.right);
    place.is_right = !place.is_right;
  }
  return place;
}

void TwoTrees::add_busy(BusyRounds& busy, Count packets, Count mirrored_packets) const {
  const auto add = [&](Count first, Count last) {
    for (Count round = first; round <= last; ++round) {
      busy.add(round, packets);
      busy.add(round + 1, mirrored_packets);
    }
  };
  if (top_ != outside) add(0, 0);
  for_each_range(add);
}

}  // namespace cohort
