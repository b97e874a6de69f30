// The result of a growing range of ranks on one of them: begins as its operand, and takes in what arrives from ranks
// before the range (left) and after it (right), nearest first.
#pragma once

#include "collectives/patterns/arrivals.hpp"

namespace cohort {

class PartialResult {
 public:
  // The operand stays as it is, unless it stands where the result goes. Takes scratch memory for so many arrivals.
  PartialResult(Schedule& schedule, const Segment& operand, const Segment& result, Count slots)
      : standing_(operand), result_(result), arrivals_(schedule, slots, result.count) {}

  // Where it stands before the next arrival.
  const Segment& standing() const { return standing_; }

  void receive_left(Round& round, Rank from) { receive(round, from, Side::left); }
  void receive_right(Round& round, Rank from) { receive(round, from, Side::right); }

  // Nothing arrives any more: the result is to be where it belongs.
  void finish(Schedule& schedule) const {
    if (standing_ != result_) schedule.add_round().copy(result_, standing_);
  }

 private:
  void receive(Round& round, Rank from, Side side) {
    arrivals_.combine(round, from, side, standing_, result_, index_);
    if (standing_ == result_) ++index_;
    standing_ = result_;
  }

  Segment standing_;
  Segment result_;
  Arrivals arrivals_;
  Count index_ = 0;
};

}  // namespace cohort
