#include "collectives/two_trees.hpp"

namespace cohort {

TwoTrees::TwoTrees(Rank nodes, Order order) : tree_{nodes - nodes % 2}, half_is_odd_(nodes / 2 % 2 != 0) {
  if (nodes % 2 == 0) return;
  if (order == Order::kept || nodes == 1) {
    top_ = nodes;
  } else {
    leaf_of_both_ = true;
  }
}

bool TwoTrees::colour_of_inner(Rank node) const {
  bool colour = true;
  for (Rank at = tree_.root(); at != node; at = tree_.towards(at, node)) colour ^= half_is_odd_ != (node < at);
  return colour;
}

// The colours of a first tree's edges, from a parent to a child.
bool TwoTrees::colour_of_child(Rank parent, bool parent_colour, Rank child) const {
  if (child > tree_.nodes) {
    return !colour_of_child(parent, parent_colour, InOrderTree::left(parent));
  }
  // A leaf is an inner node of the second tree, where its edge has the other colour.
  if (InOrderTree::is_leaf(child)) return colour_of_inner(tree_.nodes + 1 - child);
  return parent_colour ^ half_is_odd_ ^ (child < parent);
}

TwoTrees::Edge TwoTrees::child_of(const Edge& parent, bool parent_colour, Rank child) const {
  if (child == InOrderTree::none) return {};
  return {child, parent.first + (colour_of_child(parent.node, parent_colour, child) == parent_colour ? 2 : 1)};
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
  if (tree == 1) std::swap(place.left, place.right);
  return place;
}

// The first rounds of the first tree's edges, as ranges: the left subtrees are complete, and in a complete subtree of
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

Count TwoTrees::delay() const {
  Count delay = 0;
  for_each_range([&](Count, Count last) { delay = std::max(delay, last); });
  return delay;
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
