// SPDX-License-Identifier: Apache-2.0
// Groups in the shape of a grid or a hypercube: coordinates, neighbours, and the groups of rows, columns, planes.
#pragma once

#include <optional>
#include <vector>

#include "cohort/detail/shared.hpp"
#include "cohort/group.hpp"

namespace cohort {

class GridShape;

// The group that the grid was made from (Group::grid, Group::hypercube), with coordinates for its ranks. All functions
// throw Error(argument) for ranks, coordinates and dimensions outside of the grid.
class Grid : public Group {
 public:
  Grid(Group group, GridShape shape);

  int dimensions() const;
  const std::vector<Rank>& sides() const;

  std::vector<Rank> coordinates() const { return coordinates(rank()); }
  std::vector<Rank> coordinates(Rank rank, Where where = Where::current()) const;
  Rank rank_at(const std::vector<Rank>& coordinates, Where where = Where::current()) const;

  // The rank at this distance from this process along the dimension. Beyond the edge, neighbour() wraps around and
  // open_neighbour() returns nothing. Distances may be negative.
  Rank neighbour(int dimension, Count distance = 1, Where where = Where::current()) const;
  std::optional<Rank> open_neighbour(int dimension, Count distance = 1, Where where = Where::current()) const;

  // The new group of the ranks that differ from this process in these dimensions only. It is a grid of these dimensions
  // in the order of the list: dimension 0 of subgrid({2, 0}) is dimension 2 here. Ranks keep this group's order. Labels
  // are the subgrids' numbers. All members of this group must make the call with the same dimensions. The call
  // communicates only if the new group's ranks are not evenly spaced here, as in subgrid({0, 2}) of three dimensions:
  // then it is a partition.
  Grid subgrid(const std::vector<int>& dimensions, Where where = Where::current()) const;

  // In two dimensions: the ranks with the same first coordinate, subgrid({1}); and with the same second one,
  // subgrid({0}).
  Grid row(Where where = Where::current()) const;
  Grid column(Where where = Where::current()) const;

 private:
  detail::Shared<const GridShape> shape_;
};

}  // namespace cohort
