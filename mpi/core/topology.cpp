// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "groups/grid_shape.hpp"
#include "mpi/core/mistake.hpp"

namespace cohort::mpi {

int Cartesian::size() const { return std::accumulate(sides.begin(), sides.end(), 1, std::multiplies()); }

int Cartesian::rank_of(const std::vector<int>& coordinates) const {
  std::vector<int> inside = coordinates;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (inside[i] >= 0 && inside[i] < sides[i]) continue;
    if (!periodic[i]) {
      throw Mistake(abi::err_arg, fmt::format("coordinate {} is out of range in dimension {}, which is not periodic "
                                              "and has the coordinates 0 to {}",
                                              inside[i], i, sides[i] - 1));
    }
    inside[i] = (inside[i] % sides[i] + sides[i]) % sides[i];
  }
  return GridShape::by_rows(sides).rank_at(inside);
}

std::vector<int> Cartesian::coordinates_of(int rank) const { return GridShape::by_rows(sides).coordinates(rank); }

int Cartesian::neighbour(int rank, int dimension, Count distance) const {
  const GridShape shape = GridShape::by_rows(sides);
  if (periodic[static_cast<std::size_t>(dimension)]) return shape.neighbour(rank, dimension, distance);
  return shape.open_neighbour(rank, dimension, distance).value_or(abi::proc_null);
}

std::vector<int> Graph::neighbours(int rank) const {
  const int begin = rank == 0 ? 0 : index[static_cast<std::size_t>(rank) - 1];
  return {edges.begin() + begin, edges.begin() + index[static_cast<std::size_t>(rank)]};
}

Neighbours neighbours_in(const Topology& topology, int rank) {
  if (const auto* grid = std::get_if<Cartesian>(&topology)) {
    std::vector<int> both;
    for (int dimension = 0; dimension < grid->dimensions(); ++dimension) {
      both.push_back(grid->neighbour(rank, dimension, -1));
      both.push_back(grid->neighbour(rank, dimension, 1));
    }
    return {both, both};
  }
  if (const auto* graph = std::get_if<Graph>(&topology)) {
    return {graph->neighbours(rank), graph->neighbours(rank)};
  }
  if (const auto* graph = std::get_if<DistributedGraph>(&topology)) return {graph->sources, graph->destinations};
  throw Mistake(abi::err_topology, "the communicator has no topology, so its processes have no neighbours");
}

namespace {

std::vector<int> divisors_of(int number) {
  std::vector<int> low, high;
  for (int i = 1; i <= number / i; ++i) {
    if (number % i != 0) continue;
    low.push_back(i);
    if (i != number / i) high.push_back(number / i);
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

// Whether base to the power of the exponent is at least the number.
bool power_reaches(int number, int base, int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent && power < number && base > 1; ++i) power *= base;
  return power >= number;
}

// Writes the factors, none larger than `most`, from `factors` on. `divisors`: those of a multiple of the number.
bool find_factors(int number, int parts, int most, const std::vector<int>& divisors, int* factors) {
  if (number == 1) {
    std::fill_n(factors, parts, 1);
    return true;
  }
  if (parts == 0) return false;
  for (const int factor : divisors) {
    if (factor > most) return false;
    if (number % factor != 0 || !power_reaches(number, factor, parts)) continue;
    *factors = factor;
    if (find_factors(number / factor, parts - 1, factor, divisors, factors + 1)) return true;
  }
  return false;
}

}  // namespace

std::vector<int> balanced_factors(int number, int parts) {
  std::vector<int> factors(static_cast<std::size_t>(parts));
  find_factors(number, parts, number, divisors_of(number), factors.data());
  return factors;
}

}  // namespace cohort::mpi
