#pragma once

#include "collectives/cost.hpp"

namespace cohort::bcast {

Schedule binomial(const Problem& problem, Rank me);
Schedule circulant(const Problem& problem, Rank me);
Schedule two_tree(const Problem& problem, Rank me);
Cost two_tree_cost(const Problem& problem);

}  // namespace cohort::bcast
