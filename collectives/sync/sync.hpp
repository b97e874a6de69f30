// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "collectives/registry.hpp"

namespace cohort::sync {

Schedule dissemination(const Problem& problem, Rank me);
Schedule tree(const Problem& problem, Rank me);
Schedule central(const Problem& problem, Rank me);

Schedule leaders(const Problem& problem, Rank me);
Cost leaders_cost(const Problem& problem);
Cost dissemination_cost(const Problem& problem);
Cost tree_cost(const Problem& problem);
Cost central_cost(const Problem& problem);

inline constexpr Parameter dissemination_parameters[] = {
    {"w", "signals of a rank in a round", 1,
     [](const Problem& problem) { return std::max<Count>(problem.ranks - 1, 16); }}};

}  // namespace cohort::sync
