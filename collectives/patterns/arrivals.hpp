// Where other ranks' results arrive, to be combined with what this rank has.
#pragma once

#include "collectives/patterns/slots.hpp"

namespace cohort {

enum class Side : std::uint8_t { left, right };  // of ranks before those whose result this rank has, or after them

// Receives what is combined with the result in `standing` and brings it to `sum`: where the sum goes, while the operand
// stands elsewhere; else in `arrival`.
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

  // The same, with scratch memory for the index-th arrival.
  void combine(Round& round, Rank from, Side side, const Segment& standing, const Segment& sum, Count index) const {
    receive_and_combine(round, from, side, standing, sum, standing == sum ? slots_.at(index, sum.count) : Segment());
  }

 private:
  Slots slots_;
};

}  // namespace cohort
