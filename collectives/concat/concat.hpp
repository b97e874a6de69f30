#pragma once

#include "collectives/cost.hpp"

namespace cohort::concat {

Schedule circulant(const Problem& problem, Rank me);
Schedule ring(const Problem& problem, Rank me);
Schedule recursive_doubling(const Problem& problem, Rank me);

}  // namespace cohort::concat
