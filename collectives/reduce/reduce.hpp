#pragma once

#include "collectives/cost.hpp"

namespace cohort::reduce {

Schedule linear(const Problem& problem, Rank me);
Schedule binomial(const Problem& problem, Rank me);
Schedule recursive_split(const Problem& problem, Rank me);
Schedule fibonacci(const Problem& problem, Rank me);
Schedule chain(const Problem& problem, Rank me);
Schedule pipelined_binary(const Problem& problem, Rank me);
Schedule circulant(const Problem& problem, Rank me);

Cost chain_cost(const Problem& problem);
Cost pipelined_binary_cost(const Problem& problem);

}  // namespace cohort::reduce
