// The parameters that several algorithms share; one that belongs to a single algorithm stands in that operation's
// header.
#pragma once

#include <algorithm>

#include "collectives/registry.hpp"

namespace cohort::parameters {

inline constexpr Parameter blocks[] = {
    {"blocks", "pieces of nearly equal length that the vector is cut into (at most one for each element)", 1,
     [](const Problem&) { return Count{1} << 30; }}};

inline constexpr Parameter radix[] = {{"radix", "base of the digits of the ranks' numbers, one after the other", 2,
                                       [](const Problem& problem) { return std::max<Count>(problem.ranks, 2); }}};

}  // namespace cohort::parameters
