// SPDX-License-Identifier: Apache-2.0
// Subarrays, and the parts of arrays that are distributed over a grid of processes: one dimension after the other, from
// the one whose neighbours are next to each other in memory.
#include "mpi/core/recording.hpp"
#include "mpi/core/type_functions.hpp"

namespace cohort::mpi {
namespace {

void check_dimensions(int dimensions, int order) {
  if (dimensions < 1)
    throw Mistake(abi::err_dims, fmt::format("the number of dimensions is {}, but must be at least 1", dimensions));
  check(order == abi::order_c || order == abi::order_fortran, abi::err_arg,
        "the order must be MPI_ORDER_C or MPI_ORDER_FORTRAN");
}

// The i-th dimension from the one that varies fastest.
std::size_t inward(int i, int dimensions, int order) {
  return static_cast<std::size_t>(order == abi::order_fortran ? i : dimensions - 1 - i);
}

// One dimension's share of a grid of processes.
struct Share {
  Count size = 0;   // of the whole array
  Count block = 0;  // elements of a block
  int processes = 1;
  int place = 0;  // of this process: it has the blocks place, place + processes, ...
};

Share share_of(std::size_t i, Count size, int distribution, int argument, int processes, int place) {
  const auto refuse = [i](std::string_view problem) {
    throw Mistake(abi::err_arg, fmt::format("dimension {} of the distributed array: {}", i, problem));
  };
  if (size < 1) refuse(fmt::format("its size is {}, but must be at least 1", size));
  const bool is_default = argument == default_argument;
  if (distribution != abi::distribute_none && !is_default && argument < 1)
    refuse(fmt::format("the argument is {}, but must be at least 1, or MPI_DISTRIBUTE_DFLT_DARG", argument));
  Share share{size, argument, processes, place};
  if (distribution == abi::distribute_none) {
    if (processes != 1) refuse("it is not distributed, but the grid has more than one process in it");
    share.block = size;
  } else if (distribution == abi::distribute_block) {
    if (is_default) share.block = (size - 1) / processes + 1;
    if (product(share.block, processes) < size) refuse("one block for each process is not enough");
  } else if (distribution == abi::distribute_cyclic) {
    if (is_default) share.block = 1;
  } else {
    refuse("the distribution must be MPI_DISTRIBUTE_NONE, _BLOCK or _CYCLIC");
  }
  return share;
}

// The share's elements; a whole row has `share.size` elements, `stride` bytes apart.
TypeMap distributed(const TypeMap& element, Aint stride, const Share& share) {
  const Count whole_blocks = share.size / share.block;
  const Aint block_bytes = product(share.block, stride);
  TypeMapBuilder builder;
  if (share.place < whole_blocks) {
    const Count mine = (whole_blocks - share.place - 1) / share.processes + 1;
    builder.add(element.repeated(share.block, stride), product(share.place, block_bytes), mine,
                product(share.processes, block_bytes));
  }
  if (whole_blocks % share.processes == share.place)
    builder.add(element, product(whole_blocks, block_bytes), share.size % share.block, stride);
  return builder.finish();
}

// The process's coordinates: ranks of the grid are in row-major order, whatever the array's order is.
std::vector<int> places_in_grid(int size, int rank, std::span<const int> grid) {
  Count processes = 1;
  for (const int side : grid) {
    check(side >= 1, abi::err_arg, "each dimension of the process grid must have at least 1 process");
    processes = product(processes, side);
  }
  if (processes != size)
    throw Mistake(abi::err_arg, fmt::format("the process grid has {} processes, but the size is {}", processes, size));
  std::vector<int> places(grid.size());
  for (std::size_t i = grid.size(); i-- > 0; rank /= grid[i]) places[i] = rank % grid[i];
  return places;
}

}  // namespace

void type_create_subarray(int dimensions, Numbers sizes, Numbers subsizes, Numbers starts, int order, Datatype& old,
                          Datatype*& result) {
  check_dimensions(dimensions, order);
  check(sizes && subsizes && starts, abi::err_arg, "the sizes, subsizes or starts are a null pointer");
  TypeMap map = old.map;
  Aint stride = old.extent;
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    const std::size_t i = inward(dimension, dimensions, order);
    if (subsizes[i] < 1 || subsizes[i] > sizes[i] || starts[i] < 0 || starts[i] > sizes[i] - subsizes[i]) {
      throw Mistake(abi::err_arg, fmt::format("dimension {}: {} elements from {} are not a part of {} elements", i,
                                              subsizes[i], starts[i], sizes[i]));
    }
    TypeMapBuilder builder;
    builder.add(map, product(starts[i], stride), subsizes[i], stride);
    map = builder.finish();
    stride = product(stride, sizes[i]);
  }
  Recording recording(abi::combiner_subarray, sizes.is_wide());
  recording.integer(dimensions).counts(sizes, dimensions).counts(subsizes, dimensions).counts(starts, dimensions);
  recording.integer(order).type(old);
  result = recording.make(map.resized(0, stride));
}

void type_create_darray(int size, int rank, int dimensions, Numbers global_sizes, const int* distributions,
                        const int* arguments, const int* process_grid, int order, Datatype& old, Datatype*& result) {
  check_dimensions(dimensions, order);
  check(size >= 1, abi::err_arg, "the number of processes must be at least 1");
  if (rank < 0 || rank >= size)
    throw Mistake(abi::err_arg, fmt::format("the rank is {}, but must be from 0 to {}", rank, size - 1));
  check(global_sizes && distributions != nullptr && arguments != nullptr && process_grid != nullptr, abi::err_arg,
        "one of the arrays is a null pointer");
  const std::vector<int> places = places_in_grid(size, rank, {process_grid, static_cast<std::size_t>(dimensions)});
  TypeMap map = old.map;
  Aint stride = old.extent;
  for (int dimension = 0; dimension < dimensions; ++dimension) {
    const std::size_t i = inward(dimension, dimensions, order);
    map = distributed(map, stride,
                      share_of(i, global_sizes[i], distributions[i], arguments[i], process_grid[i], places[i]));
    stride = product(stride, global_sizes[i]);
  }
  Recording recording(abi::combiner_darray, global_sizes.is_wide());
  recording.integer(size).integer(rank).integer(dimensions).counts(global_sizes, dimensions);
  recording.integers(distributions, dimensions).integers(arguments, dimensions).integers(process_grid, dimensions);
  recording.integer(order).type(old);
  result = recording.make(map.resized(0, stride));
}

}  // namespace cohort::mpi
