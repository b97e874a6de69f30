#pragma once

#include "collectives/cost.hpp"
#include "collectives/registry.hpp"

namespace cohort::bcast {

Schedule linear(const Problem& problem, Rank me);
Schedule binomial(const Problem& problem, Rank me);
Schedule recursive_split(const Problem& problem, Rank me);
Schedule kary(const Problem& problem, Rank me);
Schedule fibonacci(const Problem& problem, Rank me);
Schedule chain(const Problem& problem, Rank me);
Schedule pipelined_binary(const Problem& problem, Rank me);
Schedule split_binary(const Problem& problem, Rank me);
Schedule hypercube_trees(const Problem& problem, Rank me);
Schedule circulant(const Problem& problem, Rank me);

Cost kary_cost(const Problem& problem);
Cost pipelined_binary_cost(const Problem& problem);
Cost split_binary_cost(const Problem& problem);

inline constexpr Parameter kary_parameters[] = {
    {"k", "children of a rank", 2, [](const Problem& problem) { return std::max<Count>(problem.ranks - 1, 16); }}};

}  // namespace cohort::bcast
