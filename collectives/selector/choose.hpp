// Which algorithm the runtime uses: the cheapest of the registry on the network that the problem names. Closed forms,
// and where links let some bytes through at once the rounds of all ranks, find the few that may be the cheapest; these
// are played by their data, as the runtime plays them. An algorithm that has parameters takes those that are the
// fastest for it by its closed form.
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

// What the choice takes for the algorithm's time, in seconds, if its schedules are played by their data: so long, and
// what messages lose that drift or cross, and the signals of barrier mode, if the problem asks for them. Where links
// let some bytes through at once, the mean of a call that finds them rested and of one of twenty in a row. Some 3 us
// for each message.
double price_of(const Algorithm& algorithm, const Problem& problem);

// The same as the choice has it: an estimate where the algorithm can't be the cheapest, or where playing those that may
// be takes too long; is_played also where what all ranks share takes so long that no play is needed.
struct Priced {
  const Algorithm* algorithm = nullptr;
  double seconds = 0;
  bool is_played = false;
};

// Of all that are eligible, in the registry's order.
std::vector<Priced> prices(const Problem& problem);

// Whether all ranks know the sizes of all blocks: in an exchange of unequal ones a rank knows its own only.
bool all_know_sizes(const Problem& problem);

// The problem without what differs between ranks or is each rank's own.
Problem as_all_know(const Problem& problem);

}  // namespace cohort
