// Algorithms and operations as a command line names them. What there is not is a UsageError that says what there is.
#pragma once

#include <string>
#include <vector>

#include "collectives/registry.hpp"

namespace cohort {

// The operations that have algorithms, in the registry's order.
std::vector<Operation> collective_operations();

Operation parse_operation(const std::string& name);

// "bcast": all of an operation; "bcast/circulant": one.
std::vector<const Algorithm*> parse_algorithms(const std::string& name);

// In words, "commutative operator, equal blocks", or nothing.
std::vector<std::string> needs_of(const Algorithm& algorithm);

}  // namespace cohort
