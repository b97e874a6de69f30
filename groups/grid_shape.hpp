// SPDX-License-Identifier: Apache-2.0
// The arithmetic of grids. The places of a grid are the ranks; along each dimension neighbours are a fixed number of
// ranks apart. A hypercube is a grid whose sides are all two.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cohort/types.hpp"

namespace cohort {

class GridShape {
 public:
  // Row by row: along the last dimension, neighbours are next to one another.
  static GridShape by_rows(std::span<const Rank> sides);

  // Neighbours along dimension k differ in bit k of their ranks. At most 30 dimensions.
  static GridShape hypercube(int dimensions);

  int dimensions() const { return static_cast<int>(sides_.size()); }
  const std::vector<Rank>& sides() const { return sides_; }

  // The ranks and coordinates must be in the grid.
  std::vector<Rank> coordinates(Rank rank) const;
  Rank rank_at(std::span<const Rank> coordinates) const;

  // The rank so far along the dimension. Beyond the edge it wraps around, or there is none.
  Rank neighbour(Rank rank, int dimension, std::int64_t distance) const;
  std::optional<Rank> open_neighbour(Rank rank, int dimension, std::int64_t distance) const;

  // The grid of these dimensions, numbered as they are in the list. Keeps the order of the ranks.
  GridShape of(std::span<const int> dimensions) const;

  // The ranks that differ from one in these dimensions only. Slices are numbered in the order of their lowest ranks.
  struct Slice {
    std::int64_t number = 0;
    Rank first = 0;  // its lowest rank
    Rank size = 1;
    Rank stride = 1;  // the distance between consecutive ranks; 0: it varies
  };
  Slice slice(std::span<const int> dimensions, Rank rank) const;

  // The mistake in the arguments of the functions above, or nothing.
  std::optional<std::string> defect_of_coordinates(std::span<const Rank> coordinates) const;
  std::optional<std::string> defect_of_dimensions(std::span<const int> dimensions) const;

 private:
  GridShape() = default;
  Rank side(int dimension) const { return sides_[static_cast<std::size_t>(dimension)]; }
  Rank stride(int dimension) const { return strides_[static_cast<std::size_t>(dimension)]; }
  Rank coordinate(Rank rank, int dimension) const { return rank / stride(dimension) % side(dimension); }
  std::vector<int> slowest_first() const;  // the dimensions, by falling stride

  std::vector<Rank> sides_;
  std::vector<Rank> strides_;
};

// The mistake in these sides for a group of so many ranks, or nothing.
std::optional<std::string> defect_of_sides(std::span<const Rank> sides, Rank ranks);

std::string sides_name(std::span<const Rank> sides);  // "4x6"

}  // namespace cohort
