// SPDX-License-Identifier: Apache-2.0
// The interface of MPI 5.0's ABI. Its numbers are the core's. A handle is a small number in the form of an address if
// it is predefined, otherwise the address of the core's object.
#pragma once

#include <array>
#include <cstdint>

#include "mpi/core/numbers.hpp"
#include "mpi/core/object.hpp"
#include "mpi/core/status.hpp"
#include "mpi/faces/common/handle_numbers.hpp"
#include "standard/values.hpp"

namespace cohort::mpi::faces::standard {

struct Face : Values {
  using Handle = void*;
  using FileHandle = void*;

  struct Status {
    int MPI_SOURCE;  // the names are the program's
    int MPI_TAG;
    int MPI_ERROR;
    int internal[5];  // bytes: low half, high half; cancelled
  };

  static constexpr std::size_t predefined_handles = 1024;
  static inline std::array<Object*, predefined_handles> predefined{};

  static Object* find(Kind /*kind*/, Handle handle) {
    const auto number = reinterpret_cast<std::uintptr_t>(handle);
    return number < predefined_handles ? predefined[number] : static_cast<Object*>(handle);
  }
  static Handle handle(Object& object) { return reinterpret_cast<Handle>(object.handle); }
  static Handle null(Kind kind) { return reinterpret_cast<Handle>(std::intptr_t{null_number(kind)}); }

  // After MPI_Init: the communicators that it has made.
  static void open();

  // Integers for handles: of predefined ones the same numbers.
  static constexpr std::int32_t first_number = 4096;
  static Object* find_number(Kind kind, std::int32_t number) {
    if (number >= first_number) return object_with_number(kind, number, first_number);
    return number >= 0 && number < std::int32_t{predefined_handles} ? predefined[static_cast<std::size_t>(number)]
                                                                    : nullptr;
  }
  static std::int32_t null_number(Kind kind) { return null_handles[static_cast<int>(kind)]; }

  static void* in_place() { return mpi::in_place; }
  static int* unweighted() { return mpi::unweighted; }
  static int* weights_empty() { return mpi::weights_empty; }
  static bool is_ignored(const Status* status) { return status == nullptr; }
  static void* dup_function() { return reinterpret_cast<void*>(1); }

  static void store_count(Count bytes, bool cancelled, Status& status) {
    status.internal[0] = static_cast<int>(bytes);
    status.internal[1] = static_cast<int>(bytes >> 32);
    status.internal[2] = cancelled ? 1 : 0;
  }
  static void load_count(const Status& status, Count& bytes, bool& cancelled) {
    bytes = Count{status.internal[1]} << 32 | static_cast<std::uint32_t>(status.internal[0]);
    cancelled = status.internal[2] != 0;
  }
};
static_assert(sizeof(Face::Status) == 32);

}  // namespace cohort::mpi::faces::standard
