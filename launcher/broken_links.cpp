#include "launcher/broken_links.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace cohort {

std::optional<Accusation> worst(const std::vector<Accusation>& accusations) {
  std::map<Pid, std::set<Pid>> broken, accusers;
  for (const Accusation& accusation : accusations) {
    broken[accusation.of].insert(accusation.by);
    broken[accusation.by].insert(accusation.of);
    accusers[accusation.of].insert(accusation.by);
  }
  // Who finds nonsense closes the connection, and is accused of that in turn.
  const auto misbehaved = [](const Accusation& accusation) { return accusation.cause.starts_with("it sent"); };
  const auto weight = [&](const Accusation& accusation) {
    return std::tuple(broken[accusation.of].size(), accusers[accusation.of].size(), misbehaved(accusation),
                      accusation.of);
  };
  const auto found = std::ranges::max_element(accusations, {}, weight);
  return found == accusations.end() ? std::nullopt : std::optional(*found);
}

}  // namespace cohort
