// SPDX-License-Identifier: Apache-2.0
// The problems on which an algorithm is verified, for one number of ranks: every root, the sizes 0, 1, p - 1, p, p + 1,
// uneven sizes with zeros, in place or not, operators that commute or not, parameters, meshes, distances. The operation
// and the algorithm's needs decide which of these vary.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "collectives/registry.hpp"

namespace cohort::verifier {

// One problem for each rank. The callback returns whether to go on.
using OnCase = std::function<bool(std::span<const Problem> ranks)>;

// Calls back for every root with every combination of the other arguments. If these are more than `most` cases, takes
// some of the combinations: at least one for each root, and different ones for different roots and numbers of ranks.
// Returns false as soon as the callback does.
bool for_each_case(const Algorithm& algorithm, Rank ranks, std::size_t most, const OnCase& on_case);
inline constexpr std::size_t every_case = std::numeric_limits<std::size_t>::max();

// Problems whose vectors and blocks divide evenly, with every kind of parameter value and mesh. For these the closed
// form of an algorithm's cost must be exactly what its schedules cost.
std::vector<Problem> even_problems(const Algorithm& algorithm, Rank ranks);

}  // namespace cohort::verifier
