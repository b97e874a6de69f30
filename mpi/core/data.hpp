// SPDX-License-Identifier: Apache-2.0
// The program's memory in a call, and the checks of the arguments that name it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mpi/core/communicator.hpp"
#include "mpi/core/datatype.hpp"
#include "mpi/core/numbers.hpp"

namespace cohort::mpi {

// Elements of one datatype.
struct Data {
  std::byte* base = nullptr;  // as the program has passed it: null may be MPI_BOTTOM
  Count count = 0;
  Datatype* type = nullptr;  // may be null if there are no elements

  Count bytes() const { return count == 0 ? 0 : count * type->size; }
  bool in_one_piece() const { return count == 0 || type->contiguous(count); }
  std::byte* first_byte() const { return moved(type->true_lower_bound); }
  Data part(Count first, Count number) const { return {moved(first * type->extent), number, type}; }
  Data times(Count number) const;  // throws Mistake(err_count) if these are too many bytes to count

  // An address for a distance in bytes. The base may be null, and the result an absolute address.
  std::byte* moved(Aint distance) const {
    return reinterpret_cast<std::byte*>(reinterpret_cast<std::intptr_t>(base) + distance);
  }
};

// Checks the arguments that describe a buffer. `name`: of the buffer's argument, for the error.
Data data_at(const void* buffer, Count count, Datatype* type, const char* name);

// A block for each of `number` ranks, as the functions with counts and displacements (in extents) describe them.
std::vector<Data> blocks_at(const void* buffer, Numbers counts, Numbers displacements, Datatype* type, int number,
                            const char* name);
// The same with displacements in bytes, and a type each.
std::vector<Data> blocks_at(const void* buffer, Numbers counts, Numbers displacements, std::span<Datatype* const> types,
                            int number, const char* name);
// The `number` equal blocks of memory that is described by the arguments for one of them.
std::vector<Data> equal_blocks(const Data& one, int number);

Count bytes_of(std::span<const Data> blocks);
// Whether `count` of these are all the same.
bool all_equal(Numbers counts, int number);

// What a process sends to itself and what it receives from itself is the same message.
void check_same_bytes(Count sent, Count received);

}  // namespace cohort::mpi
