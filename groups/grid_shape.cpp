// SPDX-License-Identifier: Apache-2.0
#include "groups/grid_shape.hpp"

#include <algorithm>
#include <numeric>

namespace cohort {

GridShape GridShape::by_rows(std::span<const Rank> sides) {
  GridShape shape;
  shape.sides_.assign(sides.begin(), sides.end());
  shape.strides_.resize(sides.size());
  Rank stride = 1;
  for (std::size_t i = sides.size(); i > 0; --i) {
    shape.strides_[i - 1] = stride;
    stride *= sides[i - 1];
  }
  return shape;
}

GridShape GridShape::hypercube(int dimensions) {
  GridShape shape;
  for (int i = 0; i < dimensions; ++i) {
    shape.sides_.push_back(2);
    shape.strides_.push_back(Rank{1} << i);
  }
  return shape;
}

std::vector<Rank> GridShape::coordinates(Rank rank) const {
  std::vector<Rank> coordinates;
  for (int i = 0; i < dimensions(); ++i) coordinates.push_back(coordinate(rank, i));
  return coordinates;
}

Rank GridShape::rank_at(std::span<const Rank> coordinates) const {
  return std::inner_product(coordinates.begin(), coordinates.end(), strides_.begin(), Rank{0});
}

Rank GridShape::neighbour(Rank rank, int dimension, std::int64_t distance) const {
  const std::int64_t side = this->side(dimension);
  const Rank here = coordinate(rank, dimension);
  const std::int64_t there = (here + distance % side + side) % side;
  return rank + static_cast<Rank>(there - here) * stride(dimension);
}

std::optional<Rank> GridShape::open_neighbour(Rank rank, int dimension, std::int64_t distance) const {
  const Rank here = coordinate(rank, dimension);
  if (distance < -here || distance >= side(dimension) - here) return std::nullopt;
  return rank + static_cast<Rank>(distance) * stride(dimension);
}

std::vector<int> GridShape::slowest_first() const {
  std::vector<int> order(sides_.size());
  std::iota(order.begin(), order.end(), 0);
  // If strides are equal, all but one belong to sides of one.
  std::ranges::stable_sort(order, std::ranges::greater(), [this](int dimension) { return stride(dimension); });
  return order;
}

GridShape GridShape::of(std::span<const int> dimensions) const {
  GridShape part;
  part.sides_.resize(dimensions.size());
  part.strides_.resize(dimensions.size());
  std::vector<std::size_t> order(dimensions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return stride(dimensions[i]); });
  Rank next = 1;
  for (const std::size_t i : order) {
    part.sides_[i] = side(dimensions[i]);
    part.strides_[i] = next;
    next *= part.sides_[i];
  }
  return part;
}

GridShape::Slice GridShape::slice(std::span<const int> dimensions, Rank rank) const {
  Slice slice{0, rank, 1, 0};
  bool even = true;
  Rank period = 0;  // the distance in ranks of neighbours along the slice's last dimension, if distances are even
  const std::vector<int> order = slowest_first();
  for (const int dimension : order) {
    const Rank here = coordinate(rank, dimension);
    if (std::ranges::find(dimensions, dimension) == dimensions.end()) {
      slice.number = slice.number * side(dimension) + here;
      continue;
    }
    slice.first -= here * stride(dimension);
    slice.size *= side(dimension);
    if (side(dimension) == 1) continue;
    even = even && (period == 0 || period == side(dimension) * stride(dimension));
    period = stride(dimension);
  }
  if (even) slice.stride = std::max<Rank>(period, 1);
  return slice;
}

std::optional<std::string> GridShape::defect_of_coordinates(std::span<const Rank> coordinates) const {
  if (coordinates.size() != sides_.size()) {
    return std::to_string(coordinates.size()) + " coordinates for the " + std::to_string(sides_.size()) +
           " dimensions of a grid of " + sides_name(sides_);
  }
  for (int i = 0; i < dimensions(); ++i) {
    const Rank coordinate = coordinates[static_cast<std::size_t>(i)];
    if (coordinate >= 0 && coordinate < side(i)) continue;
    return "coordinate " + std::to_string(coordinate) + " is out of range in dimension " + std::to_string(i) +
           " of a grid of " + sides_name(sides_) + ": 0 to " + std::to_string(side(i) - 1);
  }
  return std::nullopt;
}

std::optional<std::string> GridShape::defect_of_dimensions(std::span<const int> dimensions) const {
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const int dimension = dimensions[i];
    if (dimension < 0 || dimension >= this->dimensions()) {
      return "there is no dimension " + std::to_string(dimension) + " in a grid of " + sides_name(sides_);
    }
    if (std::ranges::find(dimensions.first(i), dimension) != dimensions.begin() + static_cast<std::ptrdiff_t>(i)) {
      return "dimension " + std::to_string(dimension) + " is named twice";
    }
  }
  return std::nullopt;
}

std::optional<std::string> defect_of_sides(std::span<const Rank> sides, Rank ranks) {
  std::int64_t places = 1;
  for (const Rank side : sides) {
    if (side < 1) return "a grid of " + sides_name(sides) + " has a side of " + std::to_string(side);
    places *= side;
    if (places > ranks) break;
  }
  if (places == ranks) return std::nullopt;
  return "a grid of " + sides_name(sides) + " does not have " + std::to_string(ranks) +
         " places, one for each rank of the group";
}

std::string sides_name(std::span<const Rank> sides) {
  if (sides.empty()) return "no dimensions";
  std::string name;
  for (const Rank side : sides) name += (name.empty() ? "" : "x") + std::to_string(side);
  return name;
}

}  // namespace cohort
