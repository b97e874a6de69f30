// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "mpi/core/communicator_functions.hpp"
#include "mpi/core/topology_checks.hpp"
#include "mpi/core/topology_functions.hpp"

namespace cohort::mpi {
namespace {

const Cartesian& grid_of(const Communicator& communicator) { return topology_of<Cartesian>(communicator, "Cartesian"); }

Cartesian checked_grid(const Communicator& communicator, int ndims, const int* dims, const int* periods) {
  check_intra(communicator);
  check_list(ndims, dims, "dims");
  check_list(ndims, periods, "periods");
  Cartesian grid;
  std::int64_t places = 1;
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] < 1) throw Mistake(abi::err_dims, fmt::format("dimension {} of the grid has {} processes", i, dims[i]));
    grid.sides.push_back(dims[i]);
    grid.periodic.push_back(periods[i] != 0);
    places *= dims[i];
    if (places <= communicator.size) continue;
    throw Mistake(abi::err_dims,
                  fmt::format("the grid has more places than the communicator's {} processes", communicator.size));
  }
  return grid;
}

}  // namespace

void topo_test(Communicator& communicator, int& status) {
  constexpr int kinds[] = {abi::undefined, abi::cart, abi::graph, abi::dist_graph};
  static_assert(std::size(kinds) == std::variant_size_v<Topology>);
  status = kinds[communicator.topology.index()];
}

void cart_create(Communicator& old, int ndims, const int* dims, const int* periods, int /*reorder*/,
                 Communicator*& result) {
  Cartesian grid = checked_grid(old, ndims, dims, periods);
  result = comm_of_first(old, grid.size(), "MPI_Cart_create");
  if (result != nullptr) result->topology = std::move(grid);
}

void cart_map(Communicator& communicator, int ndims, const int* dims, const int* periods, int& newrank) {
  const int places = checked_grid(communicator, ndims, dims, periods).size();
  newrank = communicator.rank < places ? communicator.rank : abi::undefined;
}

void cartdim_get(Communicator& communicator, int& ndims) { ndims = grid_of(communicator).dimensions(); }

void cart_get(Communicator& communicator, int maxdims, int* dims, int* periods, int* coords) {
  const Cartesian& grid = grid_of(communicator);
  const int room = std::min(maxdims, grid.dimensions());
  check_list(room, dims, "dims");
  check_list(room, periods, "periods");
  check_list(room, coords, "coords");
  copy_first(grid.sides, room, dims);
  std::copy_n(grid.periodic.begin(), room, periods);
  copy_first(grid.coordinates_of(communicator.rank), room, coords);
}

void cart_rank(Communicator& communicator, const int* coords, int& rank) {
  const Cartesian& grid = grid_of(communicator);
  check_list(grid.dimensions(), coords, "coords");
  rank = grid.rank_of({coords, coords + grid.dimensions()});
}

void cart_coords(Communicator& communicator, int rank, int maxdims, int* coords) {
  const Cartesian& grid = grid_of(communicator);
  check_rank(communicator, rank);
  const int room = std::min(maxdims, grid.dimensions());
  check_list(room, coords, "coords");
  copy_first(grid.coordinates_of(rank), room, coords);
}

void cart_shift(Communicator& communicator, int direction, int displacement, int& source, int& destination) {
  const Cartesian& grid = grid_of(communicator);
  if (direction < 0 || direction >= grid.dimensions()) {
    throw Mistake(abi::err_dims,
                  fmt::format("there is no dimension {} in a grid of {} dimensions", direction, grid.dimensions()));
  }
  source = grid.neighbour(communicator.rank, direction, -Count{displacement});
  destination = grid.neighbour(communicator.rank, direction, displacement);
}

void cart_sub(Communicator& communicator, const int* remain_dims, Communicator*& result) {
  const Cartesian& grid = grid_of(communicator);
  check_list(grid.dimensions(), remain_dims, "remain_dims");
  const std::vector<int> coordinates = grid.coordinates_of(communicator.rank);
  Cartesian part;
  int color = 0, key = 0;
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    int& place = remain_dims[i] != 0 ? key : color;
    place = place * grid.sides[i] + coordinates[i];
    if (remain_dims[i] == 0) continue;
    part.sides.push_back(grid.sides[i]);
    part.periodic.push_back(grid.periodic[i]);
  }
  comm_split(communicator, color, key, result);
  result->topology = std::move(part);
}

void dims_create(int nnodes, int ndims, int* dims) {
  check(nnodes > 0, abi::err_dims, "the number of processes must be positive");
  check(ndims >= 0, abi::err_dims, "the number of dimensions is negative");
  check_list(ndims, dims, "dims");
  int rest = nnodes, open = 0;
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] == 0) {
      ++open;
    } else if (dims[i] < 0 || rest % dims[i] != 0) {
      throw Mistake(abi::err_dims,
                    fmt::format("{} processes can't be arranged with {} along dimension {}", nnodes, dims[i], i));
    } else {
      rest /= dims[i];
    }
  }
  if (open == 0) {
    check(ndims == 0 || rest == 1, abi::err_dims,
          "all dimensions are given, and their product is not the number of processes");
    return;
  }
  const std::vector<int> factors = balanced_factors(rest, open);
  auto next = factors.begin();
  for (int i = 0; i < ndims; ++i) {
    if (dims[i] == 0) dims[i] = *next++;
  }
}

}  // namespace cohort::mpi
