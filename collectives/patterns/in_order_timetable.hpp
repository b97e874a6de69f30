// SPDX-License-Identifier: Apache-2.0
// The rounds in which blocks pass over the edges of an in-order tree in a pipelined prefix. Partial results go up from
// the leaves; then each subtree receives the result of all ranks before it. Every edge has a colour. Its blocks go up
// in the rounds of one residue modulo the period and come down in those of another, so that no port is used twice in a
// round.
//
// A subtree that begins at the first rank is on the left spine; one that ends at the last rank is on the right spine.
// Nothing comes down on the left spine, and nothing goes up on the right spine.
//
// One tree: three colours, period 3; an edge is used both ways in one round. Two trees that are each other's mirror
// image: two colours, period 4, in the order up 0, up 1, down 0, down 1; either tree carries every second block.
// Source: Sanders and Traeff 2006 (one tree); Sanders, Speck and Traeff 2009, section 4.3 (two).
#pragma once

#include <array>

#include "collectives/patterns/busy_rounds.hpp"
#include "collectives/patterns/two_trees.hpp"

namespace cohort {

// A rank's place in one tree: its neighbours, and the round in which the first block passes over each of its edges.
struct TimetablePlace {
  static constexpr Count never = -1;
  Rank parent = 0;  // ranks; valid where blocks pass
  Rank left = 0;
  Rank right = 0;
  Count up = never;          // to the parent
  Count down = never;        // from the parent
  Count left_up = never;     // from the left child
  Count left_down = never;   // to it
  Count right_up = never;    // from the right child
  Count right_down = never;  // to it
  // Rounds of the edge to the parent, also if no block passes.
  Count edge_up = 0;
  Count edge_down = 0;

  bool has_left() const { return left_up != never; }
  bool goes_up() const { return up != never; }
  bool comes_down() const { return down != never; }
};

class InOrderTimetable {
 public:
  static InOrderTimetable single(Rank ranks);
  static InOrderTimetable of_two(Rank ranks, int tree);

  // The timetable of two trees whose nodes are couples of ranks. The ranks of a couple exchange data a period before
  // each round `up`, and after each round `down`. All data that go up are exchanged before any come down.
  static InOrderTimetable of_two_with_couples(Rank couples, int tree);

  // One tree whose root is joined to another tree's root. Blocks go up and come down on all edges, and at the root both
  // happen in the same round.
  static InOrderTimetable joined(Rank ranks);

  Count period() const { return period_; }
  TimetablePlace place(Rank rank) const;

  Rank root_rank() const { return rank_of(tree_.root()); }

  // For a joined tree: the round in which the first block passes over the root's edge. put_off() makes it later.
  Count root_round() const { return root_up_; }
  void put_off(Count rounds);

  // The round in which the first block passes its last edge.
  Count last() const { return last_; }

  // The number of edges over which blocks go up or come down.
  Count edges_used() const { return edges_used_; }

  // How a rank uses a block that comes down.
  enum class Down : std::uint8_t { kept, combined_for_inclusive, combined_for_exclusive };

  // For a number of blocks: the rounds in which any block passes, those in which some rank combines arrivals, and those
  // in which some rank combines two or more.
  struct Busy {
    BusyRounds passing;
    BusyRounds combining;
    BusyRounds combining_twice;
  };
  void add_busy(Busy& busy, Count blocks, Down down) const;

 private:
  // A node on the way from the root, in the first tree's numbers.
  struct At {
    Rank node = InOrderTree::none;
    int colour = 0;
    Count up = 0;  // of its edge to the parent, also if no block passes
    Count down = 0;
    bool on_left_spine = true;
    bool on_right_spine = true;
  };

  explicit InOrderTimetable(InOrderTree tree) : tree_(tree) {}
  static InOrderTimetable untimed_of_two(Rank ranks, int tree);
  void set_times();
  At root() const;
  At child(const At& parent, bool left) const;  // left and right by rank, also in a mirrored tree
  int colour_of_child(const At& parent, Rank child) const;
  Count up_delay(int parent_colour, int child_colour) const;
  Count down_delay(int parent_colour, int child_colour) const;
  bool is_complete(Rank node) const { return node + (Rank{1} << InOrderTree::height(node)) - 1 <= tree_.nodes; }
  Rank rank_of(Rank node) const { return (mirrored_ ? tree_.nodes + 1 - node : node) - 1; }
  TimetablePlace place_of(const At& at, Rank parent) const;

  // Calls on_node for every node of the spines and of incomplete subtrees, and on_complete for the root of every other
  // subtree: O(log p) calls.
  template <class OnNode, class OnComplete>
  void visit(const At& at, const OnNode& on_node, const OnComplete& on_complete) const;
  void add_complete(Busy& busy, const At& at, Count blocks, Down down) const;

  InOrderTree tree_;
  bool two_ = false;
  bool mirrored_ = false;
  bool joined_ = false;
  bool couples_ = false;
  bool has_top_ = false;  // whether the last rank is above the tree
  Count period_ = 3;
  std::array<Count, 3> up_residue_{0, 1, 2};  // by colour
  std::array<Count, 3> down_residue_{0, 1, 2};
  Count root_up_ = 0;
  Count root_down_ = 0;
  Count last_ = 0;
  Count edges_used_ = 0;
};

}  // namespace cohort
