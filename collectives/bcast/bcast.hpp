#pragma once

#include "collectives/problem.hpp"

namespace cohort::bcast {

Schedule binomial(const Problem& problem, Rank me);
Schedule circulant(const Problem& problem, Rank me);

}  // namespace cohort::bcast
