#pragma once

#include "collectives/registry.hpp"

namespace cohort::bcast {

Schedule binomial(const Problem& problem, Rank me);
Schedule circulant(const Problem& problem, Rank me);
Schedule scatter_collect(const Problem& problem, Rank me);
Cost scatter_collect_cost(const Problem& problem);

inline constexpr Parameter scatter_collect_parameters[] = {
    {"ring", "1: the blocks are collected around a ring; 0: in few rounds", 0,
     [](const Problem&) { return Count{1}; }}};

}  // namespace cohort::bcast
