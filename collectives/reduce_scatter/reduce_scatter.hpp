#pragma once

#include "collectives/problem.hpp"

namespace cohort::reduce_scatter {

Schedule circulant(const Problem& problem, Rank me);
Schedule pairwise(const Problem& problem, Rank me);

}  // namespace cohort::reduce_scatter
