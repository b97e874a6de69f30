// How much work playing schedules is, and how much of it a choice may take. In messages of the usual kind
// (PlayingLimits::message_s).
#pragma once

#include "collectives/registry.hpp"
#include "collectives/selector/profile.hpp"

namespace cohort {

// Whether what all ranks share takes far longer than the rounds, as the processors of one machine do for many ranks:
// then the price is known without a play.
bool shared_is_all(const Cost& cost, const Problem& problem, const PlayingLimits& limits);

// For one algorithm. Combining rounds in progress are many actions to compare, and messages of many pieces many places.
double effort_of_playing(const Algorithm& algorithm, const Cost& cost, const Problem& problem,
                         const PlayingLimits& limits);

// For all algorithms of a problem together, in every process, once for a class of problems: more for long calls.
// Unequal blocks are priced at each call, so they may take a part of that call's time only.
double most_effort(const Problem& problem, double least_estimate_s, const PlayingLimits& limits);

}  // namespace cohort
