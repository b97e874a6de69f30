// SPDX-License-Identifier: Apache-2.0
// Limits the long messages in progress in an exchange whose partners change from round to round.
#pragma once

#include "collectives/schedule.hpp"

namespace cohort {

struct Problem;

// For a schedule in which a rank sends one of the problem's blocks in each round.
void take_turns(Schedule& schedule, const Problem& problem);

}  // namespace cohort
