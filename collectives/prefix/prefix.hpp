#pragma once

#include "collectives/cost.hpp"

namespace cohort::prefix {

Schedule doubling(const Problem& problem, Rank me);
Schedule chain(const Problem& problem, Rank me);

// These serve the exclusive prefix, too.
Schedule pipelined_binary(const Problem& problem, Rank me);
Cost pipelined_binary_cost(const Problem& problem);
Schedule two_tree(const Problem& problem, Rank me);
Cost two_tree_cost(const Problem& problem);

}  // namespace cohort::prefix
