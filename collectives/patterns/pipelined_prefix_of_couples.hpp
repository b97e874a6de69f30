// SPDX-License-Identifier: Apache-2.0
// One rank's part in a pipelined prefix along two in-order trees, for ranks that send or receive, but not both at once.
// Two neighbouring ranks, a and b, form a couple that acts as one node of a tree. The couple's messages pass in even
// rounds. Rank a talks to the left child, b to the right one. The speaker talks to the parent: in either tree it is the
// rank that is free in the rounds of that edge's colour. In odd rounds one of a couple hands something over to the
// other, for each block once on its way up and once on its way down.
//
//   The speaker is b. Up: a hands over A, the left subtree's result with its own operand; b sends A + x_b + R, where R
//   is the right subtree's result. Down: b gets P, the result of all ranks before the subtree, and hands it over to a.
//   The speaker is a. Up: b hands over x_b + R; a sends A + x_b + R. Down: a gets P, and hands over P + A to b.
//
// In both cases b has P + A, which its own result and the right child need. The order is kept. In the tree in which the
// couple is an inner node, b is the speaker if the edges to the parent and to the left child have the same colour. In
// the other tree, where the couple is a leaf, the other rank is the speaker.
//
// The ranks behind the couples (up to three, so that the number of couples is even) form a chain. The first one
// receives from both trees' roots the result of all ranks before; each passes its own result on.
// Source: Sanders, Speck and Traeff 2009, section 5.2; what is handed over is ours.
#pragma once

#include <array>

#include "collectives/cost.hpp"
#include "collectives/patterns/in_order_timetable.hpp"
#include "collectives/patterns/slots.hpp"

namespace cohort {

class PipelinedPrefixOfCouples {
 public:
  static constexpr Rank fewest_ranks = 4;

  static Schedule schedule(const Problem& problem, Rank me);

  // Takes O(p log^2 p) steps: the speaker, and so the combining in a round, differs from couple to couple.
  static Cost cost(const Problem& problem);

 private:
  struct Plan;

  // A rank in one tree: its peers, and the round of the first block of each kind of message.
  struct Place {
    static constexpr Count never = TimetablePlace::never;
    Rank parent = 0;
    Rank child = 0;    // the left one of a, the right one of b
    Rank partner = 0;  // in the chain: the rank before this one
    bool is_upper = false;
    bool is_speaker = false;
    bool comes_down = false;  // there are ranks before the subtree
    Count child_up = never;   // from the child
    Count child_down = never;
    Count up = never;    // to the parent
    Count down = never;  // from the parent
    Count hand_up = never;
    Count hand_down = never;

    // The round in which the rank's result is complete, also if no message arrives.
    Count result() const { return is_speaker ? down : hand_down; }
    bool has_held() const { return is_upper ? is_speaker : child_up != never; }
    bool gets_result() const { return is_upper ? !is_speaker || comes_down : comes_down; }
    // The residues, modulo the period, of the rounds in which the rank is active: one bit for each.
    unsigned residues() const;
    bool makes_next() const { return is_upper ? child_down != never : is_speaker; }
  };

  PipelinedPrefixOfCouples(Schedule& schedule, const Problem& problem, Rank me, const Plan& plan);

  void write(std::size_t index, Round& round) const;
  void send(Round& round, const Place& place, Count index, int tree) const;
  void receive(Round& round, const Place& place, Count index, int tree) const;
  void from_child(Round& round, const Place& place, Rank block) const;
  void handed_up(Round& round, const Place& place, Rank block) const;
  void finish(Round& round, const Place& place, Rank block) const;

  // The block whose message passes in this round, or a negative number for none.
  Rank block_in(Count index, Count first, int tree) const;

  Segment own(Rank block) const { return blocks_.block(operand_, block); }
  Segment output(Rank block) const { return blocks_.block(Buffer::output, block); }
  Segment held(Rank block) const { return in_place() ? held_.at(block, blocks_.count(block)) : output(block); }
  Segment slot(const Slots& slots, Rank block) const { return slots.at(block, blocks_.count(block)); }
  Segment next(const Place& place, Rank block) const;
  bool in_place() const { return operand_ == Buffer::output; }
  Count slots() const { return std::min<Count>(blocks_.size(), 4 * Slots::usual); }
  Count held_slots() const;

  bool inclusive_;
  Buffer operand_;
  Blocks blocks_;
  std::array<Place, 2> places_;
  std::array<unsigned, 2> residues_;  // of the places
  std::size_t rounds_;
  Slots held_;      // the left subtree's result at a, A at b, if the output still holds the operand
  Slots upward_;    // for the parent, or for the partner that sends to the parent
  Slots arrivals_;  // R
  Slots before_;    // P, or P + A at b
  Slots next_;      // the result with the own operand, for b or the right child; inclusive: the output has it
};

}  // namespace cohort
