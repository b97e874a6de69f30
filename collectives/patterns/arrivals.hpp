// SPDX-License-Identifier: Apache-2.0
// Receives of other ranks' results that are combined with this rank's.
#pragma once

#include "collectives/patterns/slots.hpp"

namespace cohort {

enum class Side : std::uint8_t {
  left,
  right
};  // whether the sender's ranks come before those of this rank's result, or after them

// Receives a result and combines it with the one in `standing` into `sum`. The received result arrives in `sum`. If the
// standing result is there, it arrives in `arrival`.
inline void receive_and_combine(Round& round, Rank from, Side side, const Segment& standing, const Segment& sum,
                                const Segment& arrival) {
  const bool into_sum = standing != sum;
  round.receive(from, into_sum ? sum : arrival);
  const Segment& other = into_sum ? standing : arrival;
  (side == Side::right) != into_sum ? round.combine_right(sum, other) : round.combine_left(sum, other);
}

class Arrivals {
 public:
  Arrivals(Schedule& schedule, Count slots, Count largest) : slots_(schedule, slots, largest) {}

  // Does the same, with scratch memory for the index-th arrival.
  void combine(Round& round, Rank from, Side side, const Segment& standing, const Segment& sum, Count index) const {
    receive_and_combine(round, from, side, standing, sum, standing == sum ? slots_.at(index, sum.count) : Segment());
  }

 private:
  Slots slots_;
};

}  // namespace cohort
