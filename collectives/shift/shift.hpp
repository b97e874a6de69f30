#pragma once

#include "collectives/problem.hpp"

namespace cohort::shift {

Schedule exchange(const Problem& problem, Rank me);

}  // namespace cohort::shift
