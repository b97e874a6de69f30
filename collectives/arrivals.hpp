// Where other ranks' results arrive, to be combined with what this rank has.
#pragma once

#include "collectives/slots.hpp"

namespace cohort {

enum class Side : std::uint8_t { left, right };  // of ranks before those whose result this rank has, or after them

class Arrivals {
 public:
  Arrivals(Schedule& schedule, Count slots, Count largest) : slots_(schedule, slots, largest) {}

  // Receives what is combined with the result in `standing` and brings it to `sum`. What arrives while the operand
  // stands elsewhere is received where the sum goes; else, as the index-th arrival, in scratch memory.
  void combine(Round& round, Rank from, Side side, const Segment& standing, const Segment& sum, Count index) const {
    const bool into_sum = standing != sum;
    const Segment arrival = into_sum ? sum : slots_.at(index, sum.count);
    round.receive(from, arrival);
    const Segment& other = into_sum ? standing : arrival;
    (side == Side::right) != into_sum ? round.combine_right(sum, other) : round.combine_left(sum, other);
  }

 private:
  Slots slots_;
};

}  // namespace cohort
