// Whether the closed form of an algorithm's cost is the time that it takes, and not only a bound.
#pragma once

#include "collectives/registry.hpp"

namespace cohort {

// The most that a closed form and a simulation, both right, differ by: rounding, relative.
inline constexpr double rounding = 1e-9;

// Whether the algorithm's rounds are in lockstep, full duplex: the last rank is done after seconds(costs(problem)). No
// rank waits for all the others, so in other algorithms the rounds of some ranks run ahead, and the closed form is the
// most that they take. Found out by simulating the algorithm for a few small numbers of ranks; the tests show for
// every number up to 64 that these suffice. Takes milliseconds.
bool in_lockstep(const Algorithm& algorithm);

}  // namespace cohort
