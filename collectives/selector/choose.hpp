// Which algorithm the runtime uses: the cheapest of the registry on the network that the problem names, by its cost in
// closed form or, where links let some bytes through at once, as the simulator plays it. An algorithm that has
// parameters takes those that are the fastest for it by the same model.
#pragma once

#include "collectives/registry.hpp"

namespace cohort {

// Prices that differ by less are the same: the model is not that exact.
inline constexpr double as_cheap = 1.01;

// Every rank chooses the same: the choice depends on nothing that differs between ranks. Of equally cheap algorithms it
// is the one that takes the least in a row, then keeps its ranks at work the shortest; of these, the first in the
// registry.
Choice choose(const Problem& problem);

// Whether the runtime may use the algorithm: nothing stands in its way that all ranks know of, and it is made for
// networks and numbers of ranks like these.
bool is_eligible(const Algorithm& algorithm, const Problem& problem);

// What the choice takes for the algorithm's time, in seconds: its cost by data, or played, and what rounds lose that
// drift, cross or leave at once. Where links let some bytes through at once, the mean of a call that finds them rested
// and of one of twenty in a row.
double price_of(const Algorithm& algorithm, const Problem& problem);

// The problem without what differs between ranks or is each rank's own.
Problem as_all_know(const Problem& problem);

}  // namespace cohort
