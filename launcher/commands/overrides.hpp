// SPDX-License-Identifier: Apache-2.0
// Algorithms from the environment, one variable for each collective operation: COHORT_BCAST=two_tree:blocks=64.
#pragma once

#include <string>
#include <vector>

#include "collectives/registry.hpp"

namespace cohort {

// Replaces `choices` by those of the variables (NAME=VALUE). An empty value changes nothing. Throws UsageError that
// names the variable. A COHORT_ variable that names no operation but has an algorithm as its value is an error, too:
// COHORT_BCST=two_tree.
void override_choices(std::vector<Choice>& choices, const std::vector<std::string>& environment);

}  // namespace cohort
