#pragma once

#include "collectives/problem.hpp"

namespace cohort::concat {

Schedule circulant(const Problem& problem, Rank me);
Schedule ring(const Problem& problem, Rank me);

}  // namespace cohort::concat
