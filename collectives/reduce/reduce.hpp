#pragma once

#include "collectives/problem.hpp"

namespace cohort::reduce {

Schedule recursive_split(const Problem& problem, Rank me);
Schedule circulant(const Problem& problem, Rank me);
Schedule dimension_pipeline(const Problem& problem, Rank me);

}  // namespace cohort::reduce
