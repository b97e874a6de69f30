// SPDX-License-Identifier: Apache-2.0
// The interface of MPICH's libmpich.so.12. A handle is an integer: its first two bits say whether it is predefined, the
// next four what it stands for.
#pragma once

#include <array>
#include <cstdint>

#include "mpi/core/object.hpp"
#include "mpi/core/status.hpp"
#include "mpi/faces/common/handle_numbers.hpp"
#include "mpich/values.hpp"

namespace cohort::mpi::faces::mpich {

struct Face : Values {
  using Handle = int;
  using FileHandle = void*;

  struct Status {
    int count_low;
    int count_high_and_cancelled;  // the last bit: cancelled
    int MPI_SOURCE;                // the names are the program's
    int MPI_TAG;
    int MPI_ERROR;
  };

  // By the last byte of the handle, which tells the predefined objects of one kind apart; pairs of types come last.
  using OfOneKind = std::array<Object*, 256>;
  static inline std::array<OfOneKind, static_cast<std::size_t>(Kind::last_kind) + 1> predefined{};

  static Object* find(Kind kind, Handle handle) {
    const auto bits = static_cast<std::uint32_t>(handle);
    if ((bits & 0xc0000000U) == 0x80000000U && (bits & 0x03ffffffU) >= pairs) {
      return object_with_number(kind, handle, first_number(kind));
    }
    Object* const object = predefined[static_cast<std::size_t>(kind)][place_of(bits)];
    return object != nullptr && static_cast<std::uint32_t>(object->handle) == bits ? object : nullptr;
  }
  static Handle handle(Object& object) { return number_of(object); }
  static Handle null(Kind kind) { return null_handles[static_cast<int>(kind)]; }

  // After MPI_Init: the communicators that it has made.
  static void open();

  // Integers are the handles themselves.
  static Object* find_number(Kind kind, std::int32_t number) { return find(kind, number); }
  static std::int32_t null_number(Kind kind) { return null(kind); }

  static constexpr std::uint32_t pairs = 16;  // numbers of handles that are predefined pairs of types
  static constexpr std::int32_t first_number(Kind kind) {
    constexpr std::array<std::uint32_t, 8> bits_of_kind = {1, 2, 3, 6, 11, 5, 7, 12};
    return static_cast<std::int32_t>(0x80000000U | bits_of_kind[static_cast<std::size_t>(kind)] << 26 | pairs);
  }
  static std::size_t place_of(std::uint32_t bits) {
    return (bits & 0x80000000U) != 0 ? 0xf0 | (bits & 0xf) : bits & 0xff;
  }

  static void* in_place() { return reinterpret_cast<void*>(-1); }
  static int* unweighted();
  static int* weights_empty();
  static bool is_ignored(const Status* status) { return reinterpret_cast<std::uintptr_t>(status) <= 1; }
  static void* dup_function() { return nullptr; }  // MPI_COMM_DUP_FN is a function like the program's

  static void store_count(Count bytes, bool cancelled, Status& status) {
    status.count_low = static_cast<int>(bytes);
    status.count_high_and_cancelled =
        static_cast<int>(static_cast<std::uint32_t>(bytes >> 32) << 1 | (cancelled ? 1 : 0));
  }
  static void load_count(const Status& status, Count& bytes, bool& cancelled) {
    const std::uint32_t high = static_cast<std::uint32_t>(status.count_high_and_cancelled) >> 1;
    bytes = Count{high} << 32 | static_cast<std::uint32_t>(status.count_low);
    cancelled = (status.count_high_and_cancelled & 1) != 0;
  }
};
static_assert(sizeof(Face::Status) == 20);

}  // namespace cohort::mpi::faces::mpich
