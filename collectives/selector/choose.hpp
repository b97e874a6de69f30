// Which algorithm the runtime uses: the cheapest of the registry on the network that the problem names. All are priced
// by estimates (call_times.hpp). The few that may be the cheapest are then played by their data, as the runtime plays
// them. An algorithm that has parameters takes those that are the fastest for it by its closed form.
#pragma once

#include "collectives/registry.hpp"
#include "collectives/selector/profile.hpp"

namespace cohort {

// Every rank chooses the same: the choice depends on nothing that differs between ranks. Of equally cheap algorithms it
// is the one that takes the least in a row; of these, the one that keeps its ranks at work the shortest; of these, the
// first in the registry.
Choice choose(const Problem& problem, const ChoiceProfile& profile = profiles::measured);

// Whether the runtime may use the algorithm: it can solve the problem, and it is made for networks and numbers of ranks
// like these.
bool is_eligible(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile = profiles::measured);

// The algorithm's price in seconds, played by its data: the time with the profile's losses, and the signals of barrier
// mode, if the problem asks for them. Takes some 3 us for each message.
double price_of(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile = profiles::measured);

// A price as the choice has it.
struct Priced {
  const Algorithm* algorithm = nullptr;
  double seconds = 0;
  // Otherwise an estimate: the algorithm can't be the cheapest, or playing those that may be takes too long. True also
  // where what all ranks share takes so long that no play is needed.
  bool is_played = false;
};

// The prices of all eligible algorithms, in the registry's order.
std::vector<Priced> prices(const Problem& problem, const ChoiceProfile& profile = profiles::measured);

// Whether all ranks know the sizes of all blocks. In an exchange of unequal blocks a rank knows its own only.
bool all_know_sizes(const Problem& problem);

// The problem without what differs between ranks or is each rank's own.
Problem as_all_know(const Problem& problem);

}  // namespace cohort
