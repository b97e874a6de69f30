#pragma once

#include "collectives/problem.hpp"

namespace cohort::gather {

Schedule recursive_split(const Problem& problem, Rank me);
Schedule weighted_split(const Problem& problem, Rank me);

}  // namespace cohort::gather
