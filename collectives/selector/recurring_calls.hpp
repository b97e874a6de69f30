// SPDX-License-Identifier: Apache-2.0
// The choice for calls with unequal blocks, in a group. Such a choice holds for one list of sizes. If the next call had
// other sizes, it should take a tenth of its call's own time (PlayingLimits::part_of_call), which is too little to play
// the schedules of short blocks. But most programs repeat a few calls. So for each of a group's first 8 different calls
// the choice may take 10 ms, as it does for equal blocks. Any further one is chosen for by estimates at first.
// It is chosen for again, with what its calls together may spend, when it is called the 8th, 64th, 512th and 4096th
// time.
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

  // The profile for the choice of a call that is called this often.
  static ChoiceProfile profile_for(std::uint64_t calls);
  static ChoiceProfile profile_for_first_calls();

 private:
  static constexpr std::size_t most_kept = 32;
  static constexpr std::uint64_t first_calls = 8;
  static constexpr double first_calls_s = 0.01;
  static constexpr std::uint64_t last_choice = 4096;
  struct Kept {
    Problem problem;
    std::uint64_t calls = 0;
    std::uint64_t next_choice = 1;  // at this call
    Choice choice;
  };

  std::list<Kept> kept_;  // the most recently used first
  std::uint64_t different_ = 0;
};

}  // namespace cohort
