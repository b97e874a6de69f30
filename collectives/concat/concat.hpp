// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collectives/cost.hpp"

namespace cohort::concat {

Schedule circulant(const Problem& problem, Rank me);
Schedule ring(const Problem& problem, Rank me);
Schedule mesh_rings(const Problem& problem, Rank me);
Cost mesh_rings_cost(const Problem& problem);
Schedule prime_rings(const Problem& problem, Rank me);
Cost prime_rings_cost(const Problem& problem);
Schedule recursive_doubling(const Problem& problem, Rank me);
Schedule all_broadcast(const Problem& problem, Rank me);
Schedule gather_bcast(const Problem& problem, Rank me);
Cost gather_bcast_cost(const Problem& problem);
Schedule leaders(const Problem& problem, Rank me);
Cost leaders_cost(const Problem& problem);

}  // namespace cohort::concat
