#include "launcher/host/place.hpp"

#include <algorithm>
#include <array>

namespace cohort {

namespace {

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

}  // namespace cohort
