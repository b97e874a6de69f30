// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <charconv>
#include <stdexcept>
#include <utility>
#include <vector>

#include "collectives/nearest_name.hpp"
#include "collectives/registry.hpp"

namespace cohort {

const Algorithm* find_algorithm(std::string_view name) {
  for (const Algorithm& algorithm : registry()) {
    if (algorithm.name == name) return &algorithm;
  }
  return nullptr;
}

namespace {

std::optional<std::string> obstacle_of_mesh(const Problem& problem) {
  if (problem.mesh.empty()) return {};
  std::int64_t product = 1;
  for (const Rank side : problem.mesh) {
    if (side < 1) return "a mesh of " + mesh_name(problem.mesh) + " has an empty side";
    product *= side;
    if (product > problem.ranks) break;
  }
  if (product == problem.ranks) return {};
  return "a mesh of " + mesh_name(problem.mesh) + " does not have " + std::to_string(problem.ranks) + " ranks";
}

const Parameter* find_parameter(const Algorithm& algorithm, std::string_view name) {
  for (const Parameter& parameter : algorithm.parameters) {
    if (parameter.name == name) return &parameter;
  }
  return nullptr;
}

std::string parameter_names(const Algorithm& algorithm) {
  std::string names;
  const auto add = [&names](std::string_view name) { names += (names.empty() ? "" : ", ") + std::string(name); };
  for (const Parameter& parameter : algorithm.parameters) add(parameter.name);
  if (algorithm.traits.uses_mesh) add("mesh");
  return names.empty() ? "none" : names;
}

std::optional<std::string> obstacle_of_parameters(const Algorithm& algorithm, const Problem& problem) {
  for (const auto& [name, value] : problem.parameters.list()) {
    const Parameter* parameter = find_parameter(algorithm, name);
    if (parameter == nullptr)
      return "there is no parameter " + name + " (there is: " + parameter_names(algorithm) + ")";
    const Count highest = parameter->highest(problem);
    if (value < parameter->lowest || value > highest) {
      return name + " is " + std::to_string(parameter->lowest) + " to " + std::to_string(highest) + " here, not " +
             std::to_string(value);
    }
  }
  return {};
}

std::optional<std::string> obstacle_of_needs(const Needs& needs, const Problem& problem) {
  if (needs.commutative && !problem.commutative) return "it needs a commutative operator";
  if (needs.power_of_two && !std::has_single_bit(static_cast<std::uint32_t>(problem.ranks))) {
    return "it needs a power of two ranks, not " + std::to_string(problem.ranks);
  }
  if (needs.equal_blocks && !(problem.blocks.equal() && problem.receive_blocks.equal())) {
    return "it needs equal blocks";
  }
  if (needs.transit_sizes && !(problem.blocks.equal() && problem.receive_blocks.equal()) &&
      problem.transit_sizes.empty() && problem.ranks > 1) {
    return "with unequal blocks it needs the sizes of those that pass through this rank";
  }
  if (needs.root_at_end && !problem.commutative && problem.root != 0 && problem.root != problem.ranks - 1) {
    return "with an operator that does not commute it needs rank 0 or " + std::to_string(problem.ranks - 1) +
           " for root, not " + std::to_string(problem.root);
  }
  return {};
}

}  // namespace

std::optional<std::string> obstacle(const Algorithm& algorithm, const Problem& problem) {
  std::optional<std::string> reason;
  if (algorithm.operation != problem.operation) reason = "it is for another operation";
  if (!reason) reason = obstacle_of_needs(algorithm.needs, problem);
  if (!reason) reason = obstacle_of_parameters(algorithm, problem);
  if (!reason) reason = obstacle_of_mesh(problem);
  if (reason) reason = std::string(algorithm.name) + ": " + *reason;
  return reason;
}

Cost cost_on_hosts(const Algorithm& algorithm, const Problem& problem) {
  if (!problem.within_host || algorithm.traits.knows_hosts) return algorithm.costs(problem);
  Problem flat = problem;
  flat.within_host.reset();
  Cost cost = algorithm.costs(flat);
  // All ranks of a host may send to others at once.
  if (!algorithm.traits.neighbours) cost.volume = std::min(cost.volume * ranks_per_host(problem), cost.total);
  return cost;
}

namespace {

// The names that begin with the same operation, or all operations.
std::string names_like(std::string_view name) {
  const std::string_view operation = name.substr(0, name.find('/') + 1);
  std::string names;
  for (const Algorithm& algorithm : registry()) {
    if (operation.empty() || !algorithm.name.starts_with(operation)) continue;
    names += (names.empty() ? "" : ", ") + std::string(algorithm.name);
  }
  return names.empty() ? "'cohort algorithms' lists them" : "there are: " + names;
}

std::string no_algorithm(std::string_view name) {
  std::vector<std::string> known;
  for (const Algorithm& algorithm : registry()) known.emplace_back(algorithm.name);
  return "there is no algorithm '" + std::string(name) + "'" + did_you_mean(name, known) + "; " + names_like(name);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// The text before the first separator, and the text after it.
std::pair<std::string_view, std::string_view> cut(std::string_view text, char separator) {
  const std::size_t end = text.find(separator);
  if (end == std::string_view::npos) return {text, {}};
  return {text.substr(0, end), text.substr(end + 1)};
}

template <class Number>
Number number_in(std::string_view text, std::string_view whole) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
    throw std::invalid_argument("'" + std::string(text) + "' in " + std::string(whole) + " is not a number");
  }
  return value;
}

}  // namespace

Choice parse_choice(std::string_view text, Operation operation) {
  const std::string own = std::string(name_of(operation)) + "/";
  const std::string name(cut(text, ':').first);
  if (name.find('/') == std::string::npos) return parse_choice(own + std::string(text));
  if (!name.starts_with(own)) {
    throw std::invalid_argument(name + " is no algorithm for " + std::string(name_of(operation)) + "; " +
                                names_like(own));
  }
  return parse_choice(text);
}

Choice parse_choice(std::string_view text) {
  const auto [name, settings] = cut(text, ':');
  Choice choice{find_algorithm(name), {}, {}};
  if (choice.algorithm == nullptr) throw std::invalid_argument(no_algorithm(name));
  if (name.size() == text.size()) return choice;
  std::vector<std::string_view> known;
  for (const std::string_view setting : split(settings, ',')) {
    const auto [parameter, value] = cut(setting, '=');
    if (std::ranges::find(known, parameter) != known.end()) {
      throw std::invalid_argument(std::string(parameter) + " stands twice in " + std::string(text));
    }
    known.push_back(parameter);
    if (parameter == "mesh" && choice.algorithm->traits.uses_mesh) {
      for (const std::string_view side : split(value, 'x')) choice.mesh.push_back(number_in<Rank>(side, text));
    } else if (find_parameter(*choice.algorithm, parameter) != nullptr) {
      choice.parameters.set(std::string(parameter), number_in<Count>(value, text));
    } else {
      throw std::invalid_argument(std::string(name) + " has no parameter '" + std::string(parameter) +
                                  "'; it has: " + parameter_names(*choice.algorithm));
    }
  }
  return choice;
}

std::string to_string(const Choice& choice) {
  std::string text(choice.algorithm->name);
  char separator = ':';
  const auto add = [&](const std::string& name, const std::string& value) {
    text += std::exchange(separator, ',') + name + "=" + value;
  };
  for (const auto& [name, value] : choice.parameters.list()) add(name, std::to_string(value));
  if (!choice.mesh.empty()) add("mesh", mesh_name(choice.mesh));
  return text;
}

}  // namespace cohort
