// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collectives/cost.hpp"

namespace cohort::shift {

Schedule exchange(const Problem& problem, Rank me);
Cost exchange_cost(const Problem& problem);
Schedule paired(const Problem& problem, Rank me);
Cost paired_cost(const Problem& problem);

// Reduces the distance, which may be any number, to a distance with the same effect. Distances of the same effect give
// the same result, and a rank can be added to it without overflow.
Count distance_of(const Problem& problem);

}  // namespace cohort::shift
