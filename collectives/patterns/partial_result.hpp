// SPDX-License-Identifier: Apache-2.0
// The result of a growing range of ranks, kept at one of them. It begins as the rank's operand. Results of ranks before
// the range (left) and after it (right) are combined with it, the nearest first.
#pragma once

#include "collectives/patterns/arrivals.hpp"

namespace cohort {

class PartialResult {
 public:
  // The operand is not changed, unless it is at the place of the result. Takes scratch memory for `slots` arrivals.
  PartialResult(Schedule& schedule, const Segment& operand, const Segment& result, Count slots)
      : standing_(operand), result_(result), arrivals_(schedule, slots, result.count) {}

  // The place of the result before the next arrival.
  const Segment& standing() const { return standing_; }

  void receive_left(Round& round, Rank from) { receive(round, from, Side::left); }
  void receive_right(Round& round, Rank from) { receive(round, from, Side::right); }

  // Call it after the last arrival: brings the result to its place.
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
