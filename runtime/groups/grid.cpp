// SPDX-License-Identifier: Apache-2.0
// Groups in the shape of a grid or a hypercube.
#include "cohort/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "groups/grid_shape.hpp"
#include "groups/mesh_detection.hpp"
#include "runtime/calls/call_errors.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/groups/new_group.hpp"

namespace cohort {
using detail::refuse;

Grid Group::grid(const std::vector<Rank>& sides, Where where) const {
  if (const auto wrong = defect_of_sides(sides, size())) refuse(*state(), "grid", where, *wrong);
  return {Group(state()), GridShape::by_rows(sides)};
}

Grid Group::hypercube(int dimensions, Where where) const {
  if (dimensions < 0 || dimensions > 30 || size() != Rank{1} << dimensions) {
    refuse(*state(), "hypercube", where,
           fmt::format("it has {} ranks, a hypercube of {} dimensions 2^{}", size(), dimensions, dimensions));
  }
  return {Group(state()), GridShape::hypercube(dimensions)};
}

Grid Group::detect_mesh() const { return {Group(state()), GridShape::by_rows(state()->schedules().mesh())}; }

Grid Group::detect_mesh(const std::vector<Rank>& physical_sides, Where where) const {
  const std::vector<Pid> pids = members();
  if (const auto wrong = defect_of_mesh(physical_sides, *std::ranges::max_element(pids))) {
    refuse(*state(), "detect_mesh", where, *wrong);
  }
  return {Group(state()), GridShape::by_rows(cohort::detect_mesh(pids, physical_sides))};
}

Grid::Grid(Group group, GridShape shape)
    : Group(std::move(group)), shape_(std::make_shared<const GridShape>(std::move(shape))) {}

int Grid::dimensions() const { return shape_->dimensions(); }
const std::vector<Rank>& Grid::sides() const { return shape_->sides(); }

std::vector<Rank> Grid::coordinates(Rank rank, Where where) const {
  if (const auto wrong = detail::defect_of_rank(*state(), rank)) refuse(*state(), "coordinates", where, *wrong);
  return shape_->coordinates(rank);
}

Rank Grid::rank_at(const std::vector<Rank>& coordinates, Where where) const {
  if (const auto wrong = shape_->defect_of_coordinates(coordinates)) refuse(*state(), "rank_at", where, *wrong);
  return shape_->rank_at(coordinates);
}

Rank Grid::neighbour(int dimension, Count distance, Where where) const {
  if (const auto wrong = shape_->defect_of_dimensions({&dimension, 1})) refuse(*state(), "neighbour", where, *wrong);
  return shape_->neighbour(rank(), dimension, distance);
}

std::optional<Rank> Grid::open_neighbour(int dimension, Count distance, Where where) const {
  if (const auto wrong = shape_->defect_of_dimensions({&dimension, 1}))
    refuse(*state(), "open_neighbour", where, *wrong);
  return shape_->open_neighbour(rank(), dimension, distance);
}

Grid Grid::subgrid(const std::vector<int>& dimensions, Where where) const {
  if (const auto wrong = shape_->defect_of_dimensions(dimensions)) refuse(*state(), "subgrid", where, *wrong);
  const GridShape::Slice slice = shape_->slice(dimensions, rank());
  Group group = slice.stride == 0
                    ? partition(slice.number, 0, where)
                    : Group(detail::subgroup(*state(), slice.first, slice.stride, slice.size, slice.number));
  return {std::move(group), shape_->of(dimensions)};
}

Grid Grid::row(Where where) const {
  if (dimensions() != 2) refuse(*state(), "row", where, fmt::format("a grid of {} dimensions has none", dimensions()));
  return subgrid({1}, where);
}

Grid Grid::column(Where where) const {
  if (dimensions() != 2)
    refuse(*state(), "column", where, fmt::format("a grid of {} dimensions has none", dimensions()));
  return subgrid({0}, where);
}

}  // namespace cohort
