// What one rank does in a pipelined prefix along two in-order trees, where ranks send or receive, but not both at once:
// two neighbouring ranks, a and b, form a couple that acts as one node of a tree. The couple's messages pass in even
// rounds: a talks to the left child, b to the right one, and to the parent in either tree whichever of the two is free
// in the rounds of that edge's colour, the speaker. In odd rounds one of a couple hands something over to the other:
// for each block once on its way up, once on its way down.
//
//   The speaker is b. Up: a hands over A, the left subtree's result with its own operand; b sends A + x_b + R, where R
//   is the right subtree's result. Down: b gets P, the result of all ranks before the subtree, and hands it over to a.
//   The speaker is a. Up: b hands over x_b + R; a sends A + that. Down: a gets P, and hands over P + A to b.
//
// So P + A, which b's result and what the right child gets need, is where it is needed, and the order is kept. In the
// tree in which the couple is an inner node, b is the speaker if the edges to the parent and to the left child have the
// same colour; in the other tree, where it is a leaf, the speaker is the other one.
//
// The ranks behind the couples (up to three, so that the number of couples is even) form a chain: the first one gets
// from both trees' roots the result of all ranks before, and every one passes its own result on.
// Source: Sanders, Speck and Traeff 2009, section 5.2; who hands over what is ours.
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

  // In O(p log^2 p) steps: who speaks, and so what is combined in a round, differs from couple to couple.
  static Cost cost(const Problem& problem);

 private:
  struct Plan;

  // A rank in one tree: whom it talks to, and the round of the first block of each kind of message.
  struct Place {
    static constexpr Count never = TimetablePlace::never;
    Rank parent = 0;
    Rank child = 0;    // the left one of a, the right one of b
    Rank partner = 0;  // in the chain: who comes before this rank
    bool is_upper = false;
    bool is_speaker = false;
    bool comes_down = false;  // there are ranks before the subtree
    Count child_up = never;   // from the child
    Count child_down = never;
    Count up = never;    // to the parent
    Count down = never;  // from the parent
    Count hand_up = never;
    Count hand_down = never;

    // The round in which the rank's result is complete, also where nothing arrives.
    Count result() const { return is_speaker ? down : hand_down; }
    bool has_held() const { return is_upper ? is_speaker : child_up != never; }
    bool gets_result() const { return is_upper ? !is_speaker || comes_down : comes_down; }
    // The residues, modulo the period, of the rounds in which something is done: a bit for each.
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

  // The block of which such a message passes in this round, or none (less than 0).
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
  Slots held_;      // the left subtree's result at a, A at b, where the output still holds the operand
  Slots upward_;    // what goes to the parent, or to the partner on the way there
  Slots arrivals_;  // R
  Slots before_;    // P, or P + A at b
  Slots next_;      // P + A at a, what goes to the right child at b, where it is not the result
};

}  // namespace cohort
