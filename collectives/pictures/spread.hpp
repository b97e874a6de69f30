// Places for texts that all belong at nearly the same place.
#pragma once

#include <vector>

namespace cohort::pictures {

// Moves the places, keeping their order, until they are `step` apart: within `lowest` and `highest` if there is room,
// and as near to their old places as a stack of touching ones can be.
void spread(std::vector<double>& wanted, double step, double lowest, double highest);

}  // namespace cohort::pictures
