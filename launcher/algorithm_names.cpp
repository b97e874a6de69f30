// SPDX-License-Identifier: Apache-2.0
#include "launcher/algorithm_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "collectives/nearest_name.hpp"
#include "launcher/usage_error.hpp"

namespace cohort {

std::vector<Operation> collective_operations() {
  std::vector<Operation> operations;
  for (const Algorithm& algorithm : registry()) {
    if (operations.empty() || operations.back() != algorithm.operation) operations.push_back(algorithm.operation);
  }
  return operations;
}

Operation parse_operation(const std::string& name) {
  std::vector<std::string> names;
  for (const Operation operation : collective_operations()) {
    if (name == name_of(operation)) return operation;
    names.emplace_back(name_of(operation));
  }
  throw UsageError(fmt::format("there is no operation '{}'{}; there are: {}", name, did_you_mean(name, names),
                               fmt::join(names, ", ")));
}

std::vector<const Algorithm*> parse_algorithms(const std::string& name) {
  std::vector<const Algorithm*> algorithms;
  if (name.find('/') != std::string::npos) {
    try {
      const Choice choice = parse_choice(name);
      if (!choice.parameters.list().empty() || !choice.mesh.empty()) {
        throw UsageError("'" + name + "': without parameters here");
      }
      return {choice.algorithm};
    } catch (const std::invalid_argument& error) {
      throw UsageError(error.what());
    }
  }
  const Operation operation = parse_operation(name);
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.operation == operation) algorithms.push_back(&algorithm);
  }
  return algorithms;
}

NamedChoice parse_choice_for(const std::string& operation, const std::string& given) {
  const bool whole = given.substr(0, given.find(':')).find('/') != std::string::npos;
  NamedChoice named{whole ? given : operation + "/" + given, {}};
  try {
    named.choice = parse_choice(named.name);
  } catch (const std::invalid_argument& error) {
    throw UsageError(std::string("--algorithm: ") + error.what());
  }
  if (named.choice.algorithm->operation != parse_operation(operation)) {
    throw UsageError("--algorithm: " + named.name + " is no algorithm for " + operation);
  }
  return named;
}

std::vector<std::string> needs_of(const Algorithm& algorithm) {
  std::vector<std::string> needs;
  if (algorithm.needs.commutative) needs.emplace_back("an operator that commutes");
  if (algorithm.needs.power_of_two) needs.emplace_back("a power of two ranks");
  if (algorithm.needs.equal_blocks) needs.emplace_back("equal blocks");
  if (algorithm.needs.root_at_end) needs.emplace_back("the first or last rank for root, or an operator that commutes");
  return needs;
}

}  // namespace cohort
