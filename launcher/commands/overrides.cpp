// SPDX-License-Identifier: Apache-2.0
#include "launcher/commands/overrides.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

#include "launcher/algorithm_names.hpp"
#include "launcher/host/environment.hpp"
#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

constexpr const char* prefix = "COHORT_";

std::string variable_of(Operation operation) {
  std::string name = prefix + std::string(name_of(operation));
  std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::toupper(letter); });
  return name;
}

// Whether the choice names an algorithm, with or without its operation.
bool names_an_algorithm(std::string_view choice) {
  const std::string name(choice.substr(0, choice.find(':')));
  if (name.find('/') != std::string::npos) return find_algorithm(name) != nullptr;
  return std::ranges::any_of(registry(), [&](const Algorithm& known) { return known.name.ends_with("/" + name); });
}

// A variable whose value is an algorithm, but whose name is no operation, is a misspelling: COHORT_BCST=two_tree.
void expect_operations(const std::vector<std::string>& environment) {
  for (const std::string& variable : environment) {
    const std::size_t equals = variable.find('=');
    if (!variable.starts_with(prefix) || equals == std::string::npos) continue;
    const std::string name = variable.substr(0, equals);
    if (tells_the_place(name)) continue;  // a host may have the name of an algorithm
    const auto is_its = [&](Operation operation) { return variable_of(operation) == name; };
    if (std::ranges::any_of(collective_operations(), is_its)) continue;
    if (!names_an_algorithm(std::string_view(variable).substr(equals + 1))) continue;
    throw UsageError(variable + ": there is no operation of this name, but its value is an algorithm: misspelt?");
  }
}

}  // namespace

void override_choices(std::vector<Choice>& choices, const std::vector<std::string>& environment) {
  expect_operations(environment);
  for (const Operation operation : collective_operations()) {
    const std::string variable = variable_of(operation);
    const std::string value = value_of(variable, environment);
    if (value.empty()) continue;
    try {
      const Choice choice = parse_choice(value, operation);
      std::erase_if(choices, [&](const Choice& known) { return known.algorithm->operation == operation; });
      choices.push_back(choice);
    } catch (const std::invalid_argument& error) {
      throw UsageError(variable + "=" + value + ": " + error.what());
    }
  }
}

}  // namespace cohort
