// SPDX-License-Identifier: Apache-2.0
// Whether the closed form of an algorithm's cost is its time, and not only a bound.
#pragma once

#include "collectives/registry.hpp"

namespace cohort {

// The largest relative difference, by rounding, of a closed form and a simulation that are both right.
inline constexpr double rounding = 1e-9;

// Whether the algorithm's rounds are in lockstep with full duplex: the last rank is done after seconds(costs(problem)).
// In other algorithms some ranks run ahead, because no rank waits for all the others, and the closed form is an upper
// bound. Simulates the algorithm for a few small numbers of ranks; the tests show that these suffice for every number
// up to 64. Takes milliseconds.
bool in_lockstep(const Algorithm& algorithm);

}  // namespace cohort
