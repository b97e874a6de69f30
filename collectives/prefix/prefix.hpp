#pragma once

#include "collectives/problem.hpp"

namespace cohort::prefix {

Schedule doubling(const Problem& problem, Rank me);
Schedule chain(const Problem& problem, Rank me);

}  // namespace cohort::prefix
