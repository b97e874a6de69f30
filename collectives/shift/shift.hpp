#pragma once

#include "collectives/cost.hpp"

namespace cohort::shift {

Schedule exchange(const Problem& problem, Rank me);
Cost exchange_cost(const Problem& problem);
Schedule paired(const Problem& problem, Rank me);
Cost paired_cost(const Problem& problem);

// Any distance is allowed. This returns the distance of the same meaning that is the same for all such distances, and
// to which a rank can be added without overflow.
Count distance_of(const Problem& problem);

}  // namespace cohort::shift
