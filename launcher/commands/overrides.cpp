#include "launcher/commands/overrides.hpp"

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "launcher/algorithm_names.hpp"
#include "launcher/host/program.hpp"
#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

std::string variable_of(Operation operation) {
  std::string name = "COHORT_" + std::string(name_of(operation));
  std::ranges::transform(name, name.begin(), [](unsigned char letter) { return std::toupper(letter); });
  return name;
}

}  // namespace

void override_choices(std::vector<Choice>& choices, const std::vector<std::string>& environment) {
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
