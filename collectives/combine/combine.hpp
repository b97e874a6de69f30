#pragma once

#include "collectives/cost.hpp"

namespace cohort::combine {

Schedule circulant(const Problem& problem, Rank me);
Schedule wrap_split(const Problem& problem, Rank me);
Schedule tree(const Problem& problem, Rank me);
Schedule dual_root(const Problem& problem, Rank me);
Cost dual_root_cost(const Problem& problem);
Schedule two_tree(const Problem& problem, Rank me);
Cost two_tree_cost(const Problem& problem);

}  // namespace cohort::combine
