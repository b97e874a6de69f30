// SPDX-License-Identifier: Apache-2.0
// Two binary trees over the same nodes 1 ... n, below a root outside of them, as in two_trees.hpp. Here the second tree
// is the first one shifted to the left by one place, so that their long edges lie side by side.
//
// The leaf that would come to place 0 is dropped, and node n becomes a child of node n - 1. With an odd number of nodes
// that node would have three children; then node n takes the dropped leaf's place instead.
//
// At every node, the edges from its two parents have different colours, and so have the edges to its two children. In
// the graph of these conditions every edge has at most two neighbours, so the graph consists of paths and cycles, which
// alternate in colour. They are long: one or two of them hold all edges, so a node that followed the paths of its own
// edges would walk through the whole tree. Therefore all edges are coloured at once, in O(n) steps.
// Source: Sanders, Speck and Traeff 2009, section 3 ("shifting", Lemma 1); the odd numbers of nodes are ours.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "collectives/patterns/busy_rounds.hpp"
#include "collectives/patterns/two_trees.hpp"

namespace cohort {

class ShiftedTrees {
 public:
  // The trees over so many nodes. The last pair is kept, because all ranks of a process or a simulation ask for the
  // same pair one after the other: 100,000 ranks would make it 100,000 times.
  static std::shared_ptr<const ShiftedTrees> of(Rank nodes);

  explicit ShiftedTrees(Rank nodes);

  // The edges from a node's parent and to its children. In a broadcast, the first packet of this tree passes an edge in
  // round `first`, and the next ones every two rounds.
  TwoTrees::Edge root(int tree) const { return edge_to(tree, node_at(tree, tree_.root())); }
  TwoTrees::Edge parent(int tree, Rank node) const;
  std::array<TwoTrees::Edge, 2> children(int tree, Rank node) const;

  // The last round in which a node receives the first packet of the first tree, or of the second tree if that packet
  // were a round later.
  Count delay() const { return delay_; }

  // Adds all rounds in which packets of a broadcast pass, for so many packets of the first tree and of the second.
  void add_busy(BusyRounds& busy, Count packets, Count shifted_packets) const;

 private:
  // The node at a place of the first tree's shape, and the place of a node; `none` if there is none.
  Rank node_at(int tree, Rank place) const;
  Rank place_of(int tree, Rank node) const;
  std::array<Rank, 2> nodes_below(int tree, Rank node) const;
  TwoTrees::Edge edge_to(int tree, Rank node) const;

  std::vector<char> first_trees_parities() const;
  void set_first_rounds();

  InOrderTree tree_;
  std::array<std::vector<Rank>, 2> parents_;  // by node
  std::array<std::vector<Count>, 2> firsts_;
  std::array<std::vector<Count>, 2> rounds_;  // all first rounds that occur
  Count delay_ = 0;
};

}  // namespace cohort
