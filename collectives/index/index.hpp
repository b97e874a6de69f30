// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collectives/cost.hpp"

namespace cohort::index {

Schedule pairwise(const Problem& problem, Rank me);
Schedule mesh_exchange(const Problem& problem, Rank me);
Cost mesh_exchange_cost(const Problem& problem);
Schedule prime_rings(const Problem& problem, Rank me);
Cost prime_rings_cost(const Problem& problem);
Schedule direct(const Problem& problem, Rank me);
Schedule radix(const Problem& problem, Rank me);
Schedule halving(const Problem& problem, Rank me);
Schedule two_phase_radix(const Problem& problem, Rank me);

Cost direct_cost(const Problem& problem);
Cost pairwise_cost(const Problem& problem);
Cost radix_cost(const Problem& problem);
Cost halving_cost(const Problem& problem);
Cost two_phase_radix_cost(const Problem& problem);

// The first phase of two_phase_radix(): an exchange of numbers. Input: how many elements this rank sends to each rank.
// Output: the problem's transit_sizes.
Schedule transit_sizes(const Problem& problem, Rank me);
Count transit_entries(const Problem& problem);

}  // namespace cohort::index
