// SPDX-License-Identifier: Apache-2.0
// Calls with unequal blocks that recur in a group. A call may spend a tenth of its own time on its choice
// (PlayingLimits::part_of_call). That is too little to play the schedules of short blocks, so the first call's choice
// goes by estimates. When a program repeats the call, all its calls together may spend a tenth of their time: the
// choice is made again at the calls 8, 64, 512 and 4096, and plays what it may.
#pragma once

#include <cstdint>
#include <functional>
#include <list>

#include "collectives/registry.hpp"
#include "collectives/selector/profile.hpp"

namespace cohort {

// Of one group. All members make the same collective calls in the same order, and know the sizes of all blocks
// (choices.hpp: sizes_count). So all members get the same choices. They also forget the same calls.
class RecurringCalls {
 public:
  // The choice for this call, which is counted. `choose` makes it, with this profile.
  const Choice& choose(const Problem& problem, const std::function<Choice(const ChoiceProfile&)>& choose);

  // The profile for the choice of a call that recurs this often.
  static ChoiceProfile profile_for(std::uint64_t calls);

 private:
  static constexpr std::size_t most_kept = 32;
  static constexpr std::uint64_t last_choice = 4096;
  struct Kept {
    Problem problem;
    std::uint64_t calls = 0;
    std::uint64_t next_choice = 1;  // at this call
    Choice choice;
  };

  std::list<Kept> kept_;  // the most recently used first
};

}  // namespace cohort
