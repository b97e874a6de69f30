// The parameters that several algorithms share; one that belongs to a single algorithm stands in that operation's
// header.
#pragma once

#include <algorithm>

#include "collectives/registry.hpp"

namespace cohort::parameters {

inline constexpr std::span<const Parameter> none;

inline constexpr Parameter blocks[] = {
    {"blocks", "pieces of nearly equal length that the vector is cut into (at most one for each element)", 1,
     [](const Problem&) { return Count{1} << 30; }}};

inline constexpr Parameter radix[] = {{"radix", "base of the digits of the ranks' numbers, one after the other", 2,
                                       [](const Problem& problem) { return std::max<Count>(problem.ranks, 2); }}};

inline constexpr Parameter postal_times[] = {
    {"s", "how long sending a message keeps a rank busy, in any unit", 1, [](const Problem&) { return Count{100}; }},
    {"r", "how long after that the receiver has it, in the same unit", 0, [](const Problem&) { return Count{100}; }}};

}  // namespace cohort::parameters
