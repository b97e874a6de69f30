// SPDX-License-Identifier: Apache-2.0
// A C interface as Fortran sees it: handles are integers, and addresses with a meaning are those of variables in common
// blocks. The adaptors of mpi/faces/common/ take it for the face.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "mpi/core/object.hpp"
#include "mpi/faces/common/handle_numbers.hpp"

namespace cohort::mpi::faces::fortran {

// C: the face of C. Sentinels: bottom(), in_place(), and which addresses mean the others.
template <class C, class Sentinels>
struct FaceOf : C {
  using Handle = std::int32_t;
  using FileHandle = std::int32_t;

  static Object* find(Kind kind, Handle handle) {
    if (handle < 0 || handle >= few) return C::find_number(kind, handle);
    std::atomic<Object*>& known = predefined[static_cast<std::size_t>(kind)][static_cast<std::size_t>(handle)];
    if (Object* const object = known.load(std::memory_order_acquire)) return object;
    Object* const object = C::find_number(kind, handle);
    if (object != nullptr) known.store(object, std::memory_order_release);
    return object;
  }
  static Handle handle(Object& object) {
    const Handle number = number_of(object);
    // A predefined type may be made when it is first asked for (MPI_TYPE_CREATE_F90_REAL): no table has its number.
    return number == 0 && object.kind == Kind::datatype ? new_number(object) : number;
  }
  static Handle null(Kind kind) { return C::null_number(kind); }

  static const void* bottom() { return Sentinels::bottom(); }
  static void* in_place() { return Sentinels::in_place(); }
  static bool is_unweighted(const int* weights) { return Sentinels::is_unweighted(weights); }
  static bool is_weights_empty(const int* weights) { return Sentinels::is_weights_empty(weights); }
  static bool is_ignored(const void* status) { return Sentinels::is_ignored(status); }
  static void* dup_function() { return nullptr; }  // MPI_COMM_DUP_FN is a function like the program's

 private:
  // Handles below are of predefined objects only, which live as long as the program. C's face may have to search them.
  static constexpr Handle few = 128;
  using OfOneKind = std::array<std::atomic<Object*>, few>;
  static inline std::array<OfOneKind, static_cast<std::size_t>(Kind::last_kind) + 1> predefined{};
};

}  // namespace cohort::mpi::faces::fortran
