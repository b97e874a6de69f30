// SPDX-License-Identifier: Apache-2.0
// Parameters that several algorithms share. A parameter of a single algorithm is in its operation's header.
#pragma once

#include <algorithm>

#include "collectives/patterns/mesh.hpp"
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

inline constexpr Parameter dimension_pieces[] = {
    {"pieces", "pieces that go along one dimension of the mesh after the other (one on a line)", 1,
     [](const Problem& problem) {
       const Count d = mesh_of(problem).dimensions();
       return d < 2 ? 1 : 8 * d;
     }},
    {"blocks", "pieces in all that the vector is cut into for the pipelines along the rows", 1,
     [](const Problem&) { return Count{1} << 30; }}};

}  // namespace cohort::parameters
