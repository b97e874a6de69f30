// SPDX-License-Identifier: Apache-2.0
// Algorithms and operations as a command line names them. An unknown name is a UsageError that lists the known ones.
#pragma once

#include <string>
#include <vector>

#include "collectives/registry.hpp"

namespace cohort {

// The operations that have algorithms, in the registry's order.
std::vector<Operation> collective_operations();

Operation parse_operation(const std::string& name);

// "bcast": all algorithms of the operation; "bcast/circulant": this one.
std::vector<const Algorithm*> parse_algorithms(const std::string& name);

// The value of --algorithm for a known operation, such as "circulant:blocks=4". `name` is that value with the operation
// in front.
struct NamedChoice {
  std::string name;
  Choice choice;
};
NamedChoice parse_choice_for(const std::string& operation, const std::string& given);

// What the algorithm needs, in words: "commutative operator, equal blocks". Empty if it needs nothing.
std::vector<std::string> needs_of(const Algorithm& algorithm);

}  // namespace cohort
