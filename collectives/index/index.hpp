#pragma once

#include "collectives/problem.hpp"

namespace cohort::index {

Schedule pairwise(const Problem& problem, Rank me);

}  // namespace cohort::index
