// SPDX-License-Identifier: Apache-2.0
// Which algorithm the runtime uses: the cheapest of the registry on the network of the problem. All algorithms are
// priced by estimates (call_times.hpp). The few that may be the cheapest are then played by their data, as the runtime
// plays them. An algorithm with parameters uses the values that are the fastest by its closed form.
#pragma once

#include "collectives/registry.hpp"
#include "collectives/selector/profile.hpp"

namespace cohort {

// Every rank chooses the same algorithm, because the choice depends on nothing that differs between ranks. Of equally
// cheap algorithms, the one with the least time in a row is chosen; of these, the one that keeps its ranks busy for the
// shortest time; of these, the first in the registry.
Choice choose(const Problem& problem, const ChoiceProfile& profile = profiles::measured);

// Whether the runtime may use the algorithm: the algorithm can solve the problem, and it suits full duplex, the number
// of ranks and the mesh.
bool is_eligible(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile = profiles::measured);

// The algorithm's price in seconds, played by its data: the time with the profile's losses, and the signals of barrier
// mode, if the problem asks for them. Takes some 3 us for each message.
double price_of(const Algorithm& algorithm, const Problem& problem, const ChoiceProfile& profile = profiles::measured);

// An algorithm with the price by which the runtime chooses.
struct Priced {
  const Algorithm* algorithm = nullptr;
  double seconds = 0;
  // False: the price is an estimate, because the algorithm can't be the cheapest, or because playing the candidates
  // takes too long. True also if the shared resource takes so long that no play is needed.
  bool is_played = false;
};

// The prices of all eligible algorithms, in the registry's order.
std::vector<Priced> prices(const Problem& problem, const ChoiceProfile& profile = profiles::measured);

// Whether all ranks know the sizes of all blocks. In an exchange of unequal blocks a rank knows only its own.
bool all_know_sizes(const Problem& problem);

// The problem without the parts that differ between ranks.
Problem as_all_know(const Problem& problem);

}  // namespace cohort
