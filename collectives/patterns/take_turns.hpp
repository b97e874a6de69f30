// The order of long messages in an exchange whose partners change from round to round.
#pragma once

#include "collectives/schedule.hpp"

namespace cohort {

struct Problem;

// For a schedule in which a rank sends one block of the problem a round.
void take_turns(Schedule& schedule, const Problem& problem);

}  // namespace cohort
