// SPDX-License-Identifier: Apache-2.0
#include "groups/mesh_detection.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>

#include "groups/grid_shape.hpp"

namespace cohort {
namespace {

// One dimension of the group's mesh.
struct Dimension {
  std::vector<Rank> index;  // by rank: the place of its coordinate among those that occur
  Rank side = 0;            // how many coordinates occur
  Rank stride = 0;          // in ranks, from one coordinate to the next
};

// For the coordinates node / physical_stride % physical_side.
Dimension dimension_of(std::span<const Rank> nodes, Rank physical_stride, Rank physical_side) {
  Dimension dimension;
  for (const Rank node : nodes) dimension.index.push_back(node / physical_stride % physical_side);
  std::vector<Rank> occurring = dimension.index;
  std::ranges::sort(occurring);
  occurring.erase(std::unique(occurring.begin(), occurring.end()), occurring.end());
  for (Rank& coordinate : dimension.index) {
    coordinate = static_cast<Rank>(std::ranges::lower_bound(occurring, coordinate) - occurring.begin());
  }
  dimension.side = static_cast<Rank>(occurring.size());
  return dimension;
}

// If neighbours have a fixed distance, it is the lowest rank that has another coordinate than rank 0.
void find_stride(Dimension& dimension) {
  const auto other = std::ranges::find_if(dimension.index, [&](Rank index) { return index != dimension.index[0]; });
  dimension.stride = static_cast<Rank>(other - dimension.index.begin());
}

bool is_mesh(std::span<const Dimension> dimensions, Rank ranks) {
  std::int64_t places = 1;
  for (const Dimension& dimension : dimensions) places *= dimension.side;
  if (places != ranks) return false;
  for (Rank rank = 0; rank < ranks; ++rank) {
    std::int64_t place = 0;
    for (const Dimension& dimension : dimensions) {
      place += std::int64_t{dimension.index[static_cast<std::size_t>(rank)]} * dimension.stride;
    }
    if (place != rank) return false;
  }
  return true;
}

}  // namespace

std::vector<Rank> detect_mesh(std::span<const Rank> nodes, std::span<const Rank> physical_sides) {
  const auto ranks = static_cast<Rank>(nodes.size());
  std::vector<Dimension> dimensions;
  Rank stride = 1;
  for (std::size_t i = physical_sides.size(); i > 0; --i) {
    Dimension dimension = dimension_of(nodes, stride, physical_sides[i - 1]);
    stride *= physical_sides[i - 1];
    if (dimension.side == 1) continue;
    find_stride(dimension);
    dimensions.push_back(std::move(dimension));
  }
  if (dimensions.empty() || !is_mesh(dimensions, ranks)) return {ranks};
  std::ranges::sort(dimensions, std::ranges::greater(), &Dimension::stride);
  std::vector<Rank> sides;
  for (const Dimension& dimension : dimensions) sides.push_back(dimension.side);
  return sides;
}

std::optional<std::string> defect_of_mesh(std::span<const Rank> physical_sides, Rank last_node) {
  std::int64_t places = 1;
  for (const Rank side : physical_sides) {
    if (side < 1) return "a mesh of " + sides_name(physical_sides) + " has a side of " + std::to_string(side);
    places *= side;
    if (places > std::numeric_limits<Rank>::max()) break;
  }
  if (places > std::numeric_limits<Rank>::max()) {
    return "a mesh of " + sides_name(physical_sides) + " has more places than there can be processes";
  }
  if (places > last_node) return std::nullopt;
  return "a mesh of " + sides_name(physical_sides) + " has no place for pid " + std::to_string(last_node);
}

std::vector<Rank> detect_hosts(std::span<const Rank> hosts) {
  const auto ranks = static_cast<Rank>(hosts.size());
  const auto first_elsewhere = std::ranges::find_if(hosts, [&](Rank host) { return host != hosts[0]; });
  const auto slots = static_cast<Rank>(first_elsewhere - hosts.begin());
  std::set<Rank> seen;
  for (Rank rank = 0; rank < ranks; ++rank) {
    const Rank host = hosts[static_cast<std::size_t>(rank)];
    const bool as_before = rank % slots != 0 && host == hosts[static_cast<std::size_t>(rank - 1)];
    const bool begins = rank % slots == 0 && seen.insert(host).second;
    if (!as_before && !begins) return {ranks};
  }
  if (ranks % slots != 0) return {ranks};
  return {ranks / slots, slots};
}

}  // namespace cohort
