// The problems that an algorithm is verified on: for one number of ranks every root, the sizes 0, 1, p - 1, p, p + 1,
// uneven sizes with zeros, in place or not, operators that commute or not, parameters, meshes, distances; whatever its
// operation has of these and its needs allow.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "collectives/registry.hpp"

namespace cohort::verifier {

// A problem for each rank. The callback returns whether to go on.
using OnCase = std::function<bool(std::span<const Problem> ranks)>;

// Calls back for every combination; or, where `one_in` is more than 1, for every root with one in so many of the other
// combinations (at least one), other ones for other roots and numbers of ranks. Returns false as soon as the callback
// has.
bool for_each_case(const Algorithm& algorithm, Rank ranks, int one_in, const OnCase& on_case);

// Problems whose vectors and blocks divide evenly, with every kind of parameter value and mesh: on these the closed
// forms of an algorithm's cost must be what its schedules cost.
std::vector<Problem> even_problems(const Algorithm& algorithm, Rank ranks);

}  // namespace cohort::verifier
