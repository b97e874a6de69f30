// SPDX-License-Identifier: Apache-2.0
// The effort of playing schedules, and the most effort that a choice may take; in messages of the usual kind
// (PlayingLimits::message_s).
#pragma once

#include "collectives/registry.hpp"
#include "collectives/selector/profile.hpp"

namespace cohort {

// Whether the shared resource takes far longer than the rounds, as the processors of one machine do for many ranks.
// Then the price is known without a play.
bool shared_is_all(const Cost& cost, const Problem& problem, const PlayingLimits& limits);

// The effort for one algorithm. Rounds in progress that combine make more actions to compare; a schedule that is slow
// to make costs an effort for each rank.
double effort_of_playing(const Algorithm& algorithm, const Cost& cost, const Problem& problem,
                         const PlayingLimits& limits);

// The most effort for all algorithms of a problem together, once for a class of problems in every process: more for
// long calls. Unequal blocks are priced at each call, so they may take only a part of that call's time.
double most_effort(const Problem& problem, double least_estimate_s, const PlayingLimits& limits);

}  // namespace cohort
