#pragma once

#include "collectives/cost.hpp"

namespace cohort::shift {

Schedule exchange(const Problem& problem, Rank me);
Cost exchange_cost(const Problem& problem);
Schedule paired(const Problem& problem, Rank me);
Cost paired_cost(const Problem& problem);

// Any distance is allowed. This one has the same meaning, is the same for all that mean the same, and adding a rank to
// it can't overflow.
Count distance_of(const Problem& problem);

}  // namespace cohort::shift
