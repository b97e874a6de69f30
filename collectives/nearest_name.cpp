// SPDX-License-Identifier: Apache-2.0
#include "collectives/nearest_name.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace cohort {
namespace {

constexpr std::size_t longest = 64;  // a longer word is no mistyped name

// How many letters must be changed, added, left out or exchanged with their neighbours to get from one word to another.
// Row i of the table holds the distances from the first i letters of `a`; three rows are enough.
std::size_t distance(std::string_view a, std::string_view b) {
  std::array<std::array<std::size_t, longest + 1>, 3> rows{};
  for (std::size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[j] = std::min(row[j], rows[(i + 1) % 3][j - 2] + 1);
    }
  }
  return rows[a.size() % 3][b.size()];
}

// The letters of "combine/" that both names begin with: they are no sign that one is meant for the other.
std::size_t letters_of_shared_folder(std::string_view a, std::string_view b) {
  const std::size_t letters = a.rfind('/') + 1;  // 0 without one
  return a.substr(0, letters) == b.substr(0, letters) ? letters : 0;
}

}  // namespace

std::string did_you_mean(std::string_view given, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  std::size_t least = 0;
  if (given.size() > longest) return "";
  for (const std::string& name : known) {
    if (name.size() > longest) continue;
    const std::size_t letters = std::min(given.size(), name.size()) - letters_of_shared_folder(given, name);
    const std::size_t away = distance(given, name);
    if (away > std::max<std::size_t>(letters / 3, 1) || away >= letters) continue;
    if (nearest == nullptr || away < least) {
      nearest = &name;
      least = away;
    }
  }
  return nearest == nullptr ? "" : " (did you mean '" + *nearest + "'?)";
}

}  // namespace cohort
