#pragma once

#include "collectives/problem.hpp"

namespace cohort::combine {

Schedule circulant(const Problem& problem, Rank me);
Schedule wrap_split(const Problem& problem, Rank me);
Schedule tree(const Problem& problem, Rank me);

}  // namespace cohort::combine
