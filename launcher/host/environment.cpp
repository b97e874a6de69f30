// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>

namespace cohort {

namespace {

std::string_view name_in(std::string_view setting) { return setting.substr(0, setting.find('=')); }

struct Variable {
  std::string_view name;
  std::string (*value)(const Place& place);
};

constexpr std::array<Variable, 7> variables{{
    {"COHORT_RANK", [](const Place& place) { return std::to_string(place.rank); }},
    {"COHORT_RANKS", [](const Place& place) { return std::to_string(place.ranks); }},
    {"COHORT_LOCAL_RANK", [](const Place& place) { return std::to_string(place.local_rank); }},
    {"COHORT_LOCAL_RANKS", [](const Place& place) { return std::to_string(place.local_ranks); }},
    {"COHORT_HOST", [](const Place& place) { return place.host; }},
    {"COHORT_HOST_NUMBER", [](const Place& place) { return std::to_string(place.host_number); }},
    {"COHORT_JOB", [](const Place& place) { return std::to_string(place.job); }},
}};

}  // namespace

std::vector<std::string> variables_of(const Place& place) {
  std::vector<std::string> result;
  for (const Variable& variable : variables) {
    result.push_back(std::string(variable.name) + "=" + variable.value(place));
  }
  return result;
}

bool tells_the_place(std::string_view name) {
  return std::ranges::find(variables, name, &Variable::name) != variables.end();
}

std::vector<std::string> environment_with(const std::vector<std::string>& settings) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const bool replaced =
        std::ranges::any_of(settings, [&](const std::string& setting) { return name_in(setting) == name_in(*entry); });
    if (!replaced) result.emplace_back(*entry);
  }
  result.insert(result.end(), settings.begin(), settings.end());
  return result;
}

std::string value_of(const std::string& name, const std::vector<std::string>& environment) {
  for (const std::string& setting : environment) {
    if (name_in(setting) == name && setting.size() > name.size()) return setting.substr(name.size() + 1);
  }
  return "";
}

}  // namespace cohort
