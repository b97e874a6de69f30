// SPDX-License-Identifier: Apache-2.0
// Functions of Fortran that are not C's with other arguments.
#pragma once

#include <cstring>

#include "mpi/core/point_to_point.hpp"
#include "mpi/core/type_functions.hpp"
#include "mpi/faces/common/by_hand.hpp"
#include "mpi/faces/fortran/values.hpp"

namespace cohort::mpi::faces::fortran {

// MPI 1's function for addresses.
template <class F>
int address(const char* name, const void* location, int* result) {
  return call<F>(name, no_communicator, [&] {
    Aint found = 0;
    get_address(choice<F>(location), found);
    check(found >= INT_MIN && found <= INT_MAX, abi::err_arg,
          "the address does not fit into an INTEGER; MPI_GET_ADDRESS gives an INTEGER(KIND=MPI_ADDRESS_KIND)");
    *result = static_cast<int>(found);
  });
}

// mpif.h and the module mpi don't tell the address.
template <class F>
int buffer_detach(const char* name, int* size) {
  return call<F>(name, no_communicator, [&] {
    void* buffer = nullptr;
    mpi::buffer_detach(buffer, count_out(size));
  });
}

// An attribute's functions that MPI defines. Word: as in callbacks.hpp.
template <class Word>
void duplicate(Word* value, Word* new_value, int* flag, int* ierror) {
  *new_value = *value;
  *flag = 1;
  give(ierror, 0);
}
inline void leave_out(int* flag, int* ierror) {
  *flag = 0;
  give(ierror, 0);
}

inline void size_is(int bytes, int* size, int* ierror) {
  *size = bytes;
  give(ierror, 0);
}

// Statuses of mpif.h and of mpi_f08 are the same words.
template <class F>
void copy_status(const int* from, int* to, int* ierror) {
  std::memcpy(to, from, sizeof(typename F::Status));
  give(ierror, 0);
}

}  // namespace cohort::mpi::faces::fortran
