// SPDX-License-Identifier: Apache-2.0
// The interface of Open MPI 4.1's libmpi.so.40. A handle is the address of a word that holds the core's object: of an
// exported object if it is predefined, otherwise of Object::self.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "mpi/core/numbers.hpp"
#include "mpi/core/object.hpp"
#include "mpi/core/status.hpp"
#include "mpi/faces/common/handle_numbers.hpp"
#include "openmpi/values.hpp"

namespace cohort::mpi::faces::openmpi {

struct Face : Values {
  using Handle = void*;
  using FileHandle = void*;

  struct Status {
    int MPI_SOURCE;  // the names are the program's
    int MPI_TAG;
    int MPI_ERROR;
    int cancelled;
    std::size_t bytes;
  };

  static Object* find(Kind /*kind*/, Handle handle) {
    return handle != nullptr ? *static_cast<Object* const*>(handle) : nullptr;
  }
  static Handle handle(Object& object) { return reinterpret_cast<Handle>(object.handle); }
  static Handle null(Kind kind) { return null_handles[static_cast<int>(kind)]; }

  // After MPI_Init: the communicators that it has made.
  static void open();

  // Fortran's. Predefined ones are those of mpif.h.
  static constexpr std::int32_t first_number = 1024;
  static Object* find_number(Kind kind, std::int32_t number) {
    return number >= first_number ? object_with_number(kind, number, first_number) : predefined_number(kind, number);
  }
  static std::int32_t null_number(Kind kind) { return kind == Kind::communicator ? 2 : 0; }

  static void* in_place() { return mpi::in_place; }
  static int* unweighted() { return reinterpret_cast<int*>(2); }
  static int* weights_empty() { return reinterpret_cast<int*>(3); }
  static bool is_ignored(const Status* status) { return status == nullptr; }
  static void* dup_function() { return nullptr; }  // MPI_COMM_DUP_FN is a function like the program's

  static void store_count(Count bytes, bool cancelled, Status& status) {
    status.cancelled = cancelled ? 1 : 0;
    status.bytes = static_cast<std::size_t>(bytes);
  }
  static void load_count(const Status& status, Count& bytes, bool& cancelled) {
    bytes = static_cast<Count>(status.bytes);
    cancelled = status.cancelled != 0;
  }

 private:
  static Object* predefined_number(Kind kind, std::int32_t number);
};
static_assert(sizeof(Face::Status) == 24);

}  // namespace cohort::mpi::faces::openmpi
