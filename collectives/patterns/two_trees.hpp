// SPDX-License-Identifier: Apache-2.0
// Two binary trees over the same nodes 1 ... n, below a root outside of them: the inner nodes of one are the leaves of
// the other. Their edges have two colours: at no node do the edges from its two parents, or those to its children, have
// the same colour. A pipeline that uses the edges of one colour in even rounds and those of the other in odd rounds
// keeps every node's port busy in both directions: twice the bandwidth of one binary tree.
//
// The second tree is the mirror image of the first, with all colours swapped. So what happens at a node of one tree
// happens a round later at its mirror image in the other. Every node computes its own edges in O(log n) steps.
//
// Mirroring needs an even number of nodes. With one more, the last node is a leaf of both trees; or, if the operands'
// order must be kept, a node between the root and the roots of both trees.
// Source: Sanders, Speck and Traeff 2009, sections 3 and 5.1 (the printed test "2^(h+1) bitand i = 1" must be "!= 0").
// Swapping the second tree's colours is ours: with the root outside it would otherwise send twice in one round.
#pragma once

#include "collectives/patterns/busy_rounds.hpp"
#include "collectives/patterns/in_order_tree.hpp"

namespace cohort {

// The colours of the edges of the first tree, over an even number of nodes. The edge into its root has colour 1.
class TwoTreeColours {
 public:
  explicit TwoTreeColours(InOrderTree tree) : tree_(tree), half_is_odd_(tree.nodes / 2 % 2 != 0) {}

  bool of_child(Rank parent, bool parent_colour, Rank child) const {
    // A leaf is an inner node of the second tree. Its parent edge there has the other colour.
    return InOrderTree::is_leaf(child) ? of_inner(tree_.nodes + 1 - child)
                                       : parent_colour ^ half_is_odd_ ^ (child < parent);
  }

 private:
  bool of_inner(Rank node) const;

  InOrderTree tree_;
  bool half_is_odd_;
};

class TwoTrees {
 public:
  enum class Order : std::uint8_t { any, kept };

  TwoTrees(Rank nodes, Order order);

  static constexpr Rank outside = 0;  // the node that stands for the root outside of the trees

  // The node between the root and both trees, or `outside`.
  Rank top() const { return top_; }
  Rank root(int tree) const { return mirrored(tree, tree_.root()); }

  // An edge of one of the trees, to the node at its other end; InOrderTree::none: no such child. In a broadcast of
  // packets, the first packet of this tree passes the edge in round `first`, and the next ones every two rounds.
  struct Edge {
    Rank node = InOrderTree::none;
    Count first = 0;
  };
  struct Place {
    Edge parent;
    Edge left;
    Edge right;
    bool is_right = false;  // a right child; valid below a parent in the tree
  };
  Place place(int tree, Rank node) const;

  // The round in which the last node receives the first packet of the first tree.
  Count delay() const { return delay_; }

  // Adds all rounds in which packets of a broadcast pass, for so many packets of the first tree and of the second.
  void add_busy(BusyRounds& busy, Count packets, Count mirrored_packets) const;

 private:
  // A node in neither tree (the top, or none) is its own mirror image.
  Rank mirrored(int tree, Rank node) const {
    const bool moves = tree == 1 && InOrderTree::none < node && node <= tree_.nodes;
    return moves ? tree_.nodes + 1 - node : node;
  }
  Rank right(Rank node) const { return node == tree_.nodes && leaf_of_both_ ? tree_.nodes + 1 : tree_.right(node); }
  Edge child_of(const Edge& parent, bool parent_colour, Rank child) const;
  Place place_in_first(Rank node) const;
  Count first_round() const { return top_ == outside ? 0 : 1; }  // of the first tree's root
  template <class OnRange>
  void for_each_range(const OnRange& on_range) const;

  InOrderTree tree_;  // the first tree, without the last node if their number is odd
  TwoTreeColours colours_;
  Rank top_ = outside;
  bool leaf_of_both_ = false;
  Count delay_ = 0;
};

}  // namespace cohort
