// Algorithms and operations as a command line names them. An unknown name is a UsageError that lists the known ones.
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

// What --algorithm says where the operation is known: "circulant:blocks=4" is enough. `name` is the whole, with it.
struct NamedChoice {
  std::string name;
  Choice choice;
};
NamedChoice parse_choice_for(const std::string& operation, const std::string& given);

// In words, "commutative operator, equal blocks", or nothing.
std::vector<std::string> needs_of(const Algorithm& algorithm);

}  // namespace cohort
