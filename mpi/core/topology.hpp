// SPDX-License-Identifier: Apache-2.0
// The virtual topologies of communicators.
#pragma once

#include <variant>
#include <vector>

#include "cohort/types.hpp"

namespace cohort::mpi {

// Ranks go row by row: the last coordinate varies fastest.
struct Cartesian {
  std::vector<int> sides;
  std::vector<bool> periodic;

  int dimensions() const { return static_cast<int>(sides.size()); }
  int size() const;
  // Coordinates along periodic dimensions wrap around. Throws Mistake(err_arg) if another one is out of range.
  int rank_of(const std::vector<int>& coordinates) const;
  std::vector<int> coordinates_of(int rank) const;
  // The rank so far along a dimension; abi::proc_null beyond the end of one that is not periodic.
  int neighbour(int rank, int dimension, Count distance) const;
};

struct Graph {  // MPI_Graph_create's two lists
  std::vector<int> index;
  std::vector<int> edges;

  std::vector<int> neighbours(int rank) const;
};

struct DistributedGraph {  // of this process
  std::vector<int> sources, source_weights;
  std::vector<int> destinations, destination_weights;
  bool weighted = false;
};

using Topology = std::variant<std::monostate, Cartesian, Graph, DistributedGraph>;

// From whom this process receives, and to whom it sends, in neighbourhood collectives: ranks, in the standard's order.
// MPI_PROC_NULL (abi::proc_null) where a Cartesian topology ends. Along a periodic dimension of one or two processes
// both neighbours are the same process: what it sends in the negative direction is received from the positive one.
struct Neighbours {
  std::vector<int> sources;
  std::vector<int> destinations;
};
Neighbours neighbours_in(const Topology& topology, int rank);  // throws Mistake(err_topology) where there is none

// `parts` factors of the number, none larger than the one before it, with the smallest largest factor; among these with
// the smallest second one, and so on.
std::vector<int> balanced_factors(int number, int parts);

}  // namespace cohort::mpi
