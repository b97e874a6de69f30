// SPDX-License-Identifier: Apache-2.0
// One rank's part in a pipelined prefix along one or two in-order trees.
//
// For every block a rank receives the result L of its left subtree and R of its right one, and sends L + own + R to its
// parent. Later the parent sends P, the result of all ranks before the subtree, which the rank passes on to its left
// child. P + L is the rank's exclusive result and P + L + own its inclusive one, which it sends to its right child.
// Every arrival is combined in its round.
#pragma once

#include <array>

#include "collectives/cost.hpp"
#include "collectives/patterns/in_order_timetable.hpp"
#include "collectives/patterns/slots.hpp"

namespace cohort {

class PipelinedPrefix {
 public:
  static Schedule schedule(const Problem& problem, Rank me, int trees);
  static Cost cost(const Problem& problem, int trees);

 private:
  struct Plan;
  PipelinedPrefix(Schedule& schedule, const Problem& problem, Rank me, const Plan& plan);

  void write(std::size_t index, Round& round) const;
  void send(Round& round, const TimetablePlace& place, Count index, int tree) const;
  void receive(Round& round, const TimetablePlace& place, Count index, int tree) const;
  void from_left(Round& round, const TimetablePlace& place, Rank block) const;
  void from_right(Round& round, const TimetablePlace& place, Rank block) const;
  void from_parent(Round& round, const TimetablePlace& place, Rank block) const;
  void finish(Round& round, const TimetablePlace& place, Rank block, const Segment& before) const;

  // The block that passes over an edge in this round, or a negative number for none.
  Rank block_in(Count index, Count first, int tree) const;

  Segment own(Rank block) const { return blocks_.block(operand_, block); }
  Segment output(Rank block) const { return blocks_.block(Buffer::output, block); }
  Segment left_part(Rank block) const { return in_place() ? lefts_.at(block, blocks_.count(block)) : output(block); }
  Segment slot(const Slots& slots, Rank block) const { return slots.at(block, blocks_.count(block)); }
  bool in_place() const { return operand_ == Buffer::output; }

  Count slots() const { return std::min<Count>(blocks_.size(), 2 * Slots::usual * trees_); }
  template <class Uses>
  Count slots(const Uses& uses) const;  // 0 if no place uses them
  Count slots_over(Count rounds) const;
  Count lefts() const;
  Count for_right() const;

  int trees_;
  bool inclusive_;
  Buffer operand_;
  Blocks blocks_;
  Count period_;
  std::array<TimetablePlace, 2> places_;
  std::size_t rounds_;
  Slots lefts_;        // L, if the output still holds the operand
  Slots upward_;       // L + own + R, for the parent
  Slots from_right_;   // R
  Slots from_parent_;  // P
  Slots for_right_;    // P + L + own for the right child; an inclusive prefix has this in the output
};

}  // namespace cohort
