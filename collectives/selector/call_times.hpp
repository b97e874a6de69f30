// The time of an algorithm's call, for the choice: estimated by the closed form of its cost, or played by its data.
#pragma once

#include "collectives/registry.hpp"
#include "collectives/selector/profile.hpp"

namespace cohort {

// Seconds.
struct CallTimes {
  double alone = 0;     // of a call that finds all links rested
  double in_a_row = 0;  // of one of several calls, by what links carry and ranks share; 0 where nothing was played
};

// The mean that the profile asks for. In a row a call takes no less than alone: a rank waits for the others in each
// call, if not for data then for the barrier.
double price_of(const CallTimes& times, const ChoiceProfile& profile);

// By closed forms; where links have a burst also by a play of the rounds, if that is not too long. Microseconds; a play
// of rounds takes 0.1 us a message.
CallTimes estimated(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile);

// By a play of all ranks' schedules: 3 us a message.
CallTimes played(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile);

// Whether nothing is known to be sent: there are no data, or not all ranks know their sizes. Such an algorithm can't be
// played.
bool is_empty(const Cost& cost, const Problem& problem);

}  // namespace cohort
