// Algorithms from the environment, one variable for each collective operation: COHORT_BCAST=two_tree:blocks=64.
#pragma once

#include <string>
#include <vector>

#include "collectives/registry.hpp"

namespace cohort {

// Applies these variables (NAME=VALUE) over `choices`. An empty value changes nothing. Throws UsageError that names the
// variable; also for a COHORT_ variable that names no operation but has an algorithm as its value:
// COHORT_BCST=two_tree.
void override_choices(std::vector<Choice>& choices, const std::vector<std::string>& environment);

}  // namespace cohort
