#pragma once

#include "collectives/problem.hpp"

namespace cohort::sync {

Schedule dissemination(const Problem& problem, Rank me);

}  // namespace cohort::sync
