// SPDX-License-Identifier: Apache-2.0
// The time of a call by an algorithm, for the choice: estimated by the closed form of its cost, or played by its data.
#pragma once

#include "collectives/registry.hpp"
#include "collectives/selector/profile.hpp"

namespace cohort {

// Seconds.
struct CallTimes {
  double alone = 0;     // a call that finds all links rested
  double in_a_row = 0;  // one of several calls in a row: the busiest link, or the shared resource; 0 if not played
};

// The weighted mean of both times, by the profile. A call in a row takes at least as long as a call alone: in each call
// a rank waits for the others, for their data or for the barrier.
double price_of(const CallTimes& times, const ChoiceProfile& profile);

struct Estimate {
  CallTimes times;
  Cost cost;  // closed forms count all blocks as the largest; where rounds were played, messages and total are exact
};

// Estimates by closed forms. If links have a burst or blocks are unequal, also plays the rounds, if the play is short
// enough. Takes microseconds; a play of rounds takes 0.1 us a message.
Estimate estimated(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile);

// Plays all ranks' schedules by their data. Takes 3 us a message.
CallTimes played(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile);

// Whether the cost contains no data: there are none, or not all ranks know their sizes. Such an algorithm can't be
// played.
bool is_empty(const Cost& cost, const Problem& problem);

}  // namespace cohort
