// SPDX-License-Identifier: Apache-2.0
// A few pieces of scratch memory that receives use in turn. With more than one the engine can post receives ahead
// before an earlier piece is combined.
#pragma once

#include "collectives/schedule.hpp"

namespace cohort {

class Slots {
 public:
  static constexpr Count usual = 4;

  // The number of slots for a pipeline of so many blocks. Two are enough for whole vectors, which take much longer than
  // the credit for the next one.
  static Count for_blocks(Count blocks) { return blocks == 1 ? 2 : usual; }

  Slots(Schedule& schedule, Count slots, Count largest)
      : slots_(slots), largest_(largest), first_(schedule.add_scratch(slots * largest).offset) {}

  // The slot of the index-th use, for `count` elements.
  Segment at(Count index, Count count) const { return {Buffer::scratch, first_ + (index % slots_) * largest_, count}; }

 private:
  Count slots_;
  Count largest_;
  Count first_;
};

}  // namespace cohort
