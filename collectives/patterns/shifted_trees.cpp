// SPDX-License-Identifier: Apache-2.0
#include "collectives/patterns/shifted_trees.hpp"

#include <algorithm>
#include <mutex>

namespace cohort {
namespace {

constexpr Rank none = InOrderTree::none;

std::size_t at(int number) { return static_cast<std::size_t>(number); }

}  // namespace

std::shared_ptr<const ShiftedTrees> ShiftedTrees::of(Rank nodes) {
  static std::mutex mutex;
  static std::shared_ptr<const ShiftedTrees> last;
  const std::lock_guard lock(mutex);
  if (last == nullptr || last->tree_.nodes != nodes) last = std::make_shared<const ShiftedTrees>(nodes);
  return last;
}

Rank ShiftedTrees::node_at(int tree, Rank place) const {
  if (tree == 0 || place == none) return place;
  if (place > 1) return place - 1;
  return tree_.nodes % 2 != 0 ? tree_.nodes : none;
}

Rank ShiftedTrees::place_of(int tree, Rank node) const {
  if (tree == 0) return node;
  if (node < tree_.nodes) return node + 1;
  return tree_.nodes % 2 != 0 ? 1 : none;
}

std::array<Rank, 2> ShiftedTrees::nodes_below(int tree, Rank node) const {
  const Rank place = place_of(tree, node);
  if (place == none || InOrderTree::is_leaf(place)) return {none, none};
  const bool takes_last = tree == 1 && place == tree_.nodes;
  return {node_at(tree, InOrderTree::left(place)), takes_last ? tree_.nodes : node_at(tree, tree_.right(place))};
}

TwoTrees::Edge ShiftedTrees::edge_to(int tree, Rank node) const {
  if (node == none) return {};
  return {node, firsts_[at(tree)][at(node)]};
}

TwoTrees::Edge ShiftedTrees::parent(int tree, Rank node) const {
  return {parents_[at(tree)][at(node)], firsts_[at(tree)][at(node)]};
}

std::array<TwoTrees::Edge, 2> ShiftedTrees::children(int tree, Rank node) const {
  const auto below = nodes_below(tree, node);
  return {edge_to(tree, below[0]), edge_to(tree, below[1])};
}

ShiftedTrees::ShiftedTrees(Rank nodes) : tree_{nodes} {
  for (int tree = 0; tree < 2; ++tree) {
    auto& parents = parents_[at(tree)];
    parents.assign(at(nodes) + 1, TwoTrees::outside);
    firsts_[at(tree)].assign(at(nodes) + 1, 0);
    for (Rank node = 1; node <= nodes; ++node) {
      for (const Rank below : nodes_below(tree, node)) {
        if (below != none) parents[at(below)] = node;
      }
    }
  }
  if (nodes > 0) set_first_rounds();
}

// Whether the first tree's edge into a node is used in odd rounds; the second tree's edge is used in the even rounds
// then. A condition joins two nodes that receive from the same node. Every node has one condition for each tree.
std::vector<char> ShiftedTrees::first_trees_parities() const {
  struct Sibling {
    Rank node = none;
    int tree = 0;  // the tree in which both receive from that node
  };
  const std::size_t size = at(tree_.nodes) + 1;
  std::array<std::vector<Sibling>, 2> siblings{std::vector<Sibling>(size), std::vector<Sibling>(size)};
  const auto join = [&](const Sibling& a, const Sibling& b) {
    if (a.node == none || b.node == none) return;
    siblings[at(a.tree)][at(a.node)] = b;
    siblings[at(b.tree)][at(b.node)] = a;
  };
  join({node_at(0, tree_.root()), 0}, {node_at(1, tree_.root()), 1});
  for (int tree = 0; tree < 2; ++tree) {
    for (Rank node = 1; node <= tree_.nodes; ++node) {
      const auto below = nodes_below(tree, node);
      join({below[0], tree}, {below[1], tree});
    }
  }

  static constexpr char unknown = 2;
  std::vector<char> parities(size, unknown);
  const auto follow = [&](Rank node, int tree) {
    while (true) {
      const Sibling next = siblings[at(tree)][at(node)];
      if (next.node == none || parities[at(next.node)] != unknown) return;
      const bool same = next.tree != tree;  // in one tree siblings differ; across trees the parities are equal
      parities[at(next.node)] = static_cast<char>(parities[at(node)] ^ (same ? 0 : 1));
      node = next.node;
      tree = 1 - next.tree;
    }
  };
  const auto begin = [&](Rank node) {
    if (parities[at(node)] != unknown) return;
    parities[at(node)] = 0;
    follow(node, 0);
    follow(node, 1);
  };
  begin(tree_.root());  // the first packet leaves in round 0
  for (Rank node = 1; node <= tree_.nodes; ++node) begin(node);
  return parities;
}

void ShiftedTrees::set_first_rounds() {
  const std::vector<char> parities = first_trees_parities();
  for (int tree = 0; tree < 2; ++tree) {
    auto& firsts = firsts_[at(tree)];
    auto& rounds = rounds_[at(tree)];
    const Rank root = node_at(tree, tree_.root());
    firsts[at(root)] = tree;
    std::vector<Rank> above{root};
    while (!above.empty()) {
      const Rank node = above.back();
      above.pop_back();
      const Count first = firsts[at(node)];
      rounds.push_back(first);
      for (const Rank below : nodes_below(tree, node)) {
        if (below == none) continue;
        const Count parity = parities[at(below)] ^ tree;
        firsts[at(below)] = first + ((first + 1) % 2 == parity ? 1 : 2);
        above.push_back(below);
      }
    }
    std::sort(rounds.begin(), rounds.end());
    rounds.erase(std::unique(rounds.begin(), rounds.end()), rounds.end());
    delay_ = std::max(delay_, rounds.back() - tree);
  }
}

void ShiftedTrees::add_busy(BusyRounds& busy, Count packets, Count shifted_packets) const {
  for (const Count first : rounds_[0]) busy.add(first, packets);
  for (const Count first : rounds_[1]) busy.add(first, shifted_packets);
}

}  // namespace cohort
