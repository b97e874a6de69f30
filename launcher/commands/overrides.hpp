// COHORT_BCAST=two_tree:blocks=64: which algorithm an operation is done by, from the environment. One variable for each
// collective operation.
#pragma once

#include <string>
#include <vector>

#include "collectives/registry.hpp"

namespace cohort {

// Puts what these variables (NAME=VALUE) say in place of what is there for the same operations; an empty value says
// nothing. Throws UsageError that names the variable, also a COHORT_ one that names no operation and has an algorithm
// for its value: COHORT_BCST=two_tree.
void override_choices(std::vector<Choice>& choices, const std::vector<std::string>& environment);

}  // namespace cohort
