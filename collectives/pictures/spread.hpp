// SPDX-License-Identifier: Apache-2.0
// Places texts that would overlap.
#pragma once

#include <vector>

namespace cohort::pictures {

// Moves the places, keeping their order, until they are at least `step` apart: within `lowest` and `highest` if there
// is room, and as near to their old places as a stack of touching texts can be.
void spread(std::vector<double>& wanted, double step, double lowest, double highest);

}  // namespace cohort::pictures
