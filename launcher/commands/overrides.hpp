// COHORT_BCAST=two_tree:blocks=64: which algorithm an operation is done by, from the environment. One variable for each
// collective operation.
#pragma once

#include <string>
#include <vector>

#include "collectives/registry.hpp"

namespace cohort {

// Puts what these variables (NAME=VALUE) say in place of what is there for the same operations; an empty value says
// nothing. Throws UsageError that names the variable, also one that only looks like these: COHORT_BCST=two_tree.
void override_choices(std::vector<Choice>& choices, const std::vector<std::string>& environment);

}  // namespace cohort
