#pragma once

#include "collectives/cost.hpp"

namespace cohort::index {

Schedule pairwise(const Problem& problem, Rank me);
Schedule mesh_exchange(const Problem& problem, Rank me);
Cost mesh_exchange_cost(const Problem& problem);
Schedule prime_rings(const Problem& problem, Rank me);
Cost prime_rings_cost(const Problem& problem);

}  // namespace cohort::index
