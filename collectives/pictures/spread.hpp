// Where texts stand that all wish to stand at the same place.
#pragma once

#include <vector>

namespace cohort::pictures {

// Moves the places, which keep their order, until they are `step` from each other: within `lowest` and `highest` if
// there is room, and as near to where they were as a stack of those that touch can be.
void spread(std::vector<double>& wanted, double step, double lowest, double highest);

}  // namespace cohort::pictures
