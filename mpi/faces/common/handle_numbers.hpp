// SPDX-License-Identifier: Apache-2.0
// Integers for handles: MPICH's handles, Fortran's, and those of MPI_Comm_toint.
//
// The object of a number is found without a lock, because each call of a program in MPICH's interface looks some up.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>

#include "mpi/core/object.hpp"

namespace cohort::mpi::faces {

// Objects by number. Slots are in chunks that never move, each twice as long as the one before.
class NumberedObjects {
 public:
  std::uint32_t add(Object& object);
  void remove(std::uint32_t number);

  // nullptr: no object has this number.
  Object* at(std::uint32_t number) const {
    const Slot* const slot = find(number);
    return slot != nullptr ? slot->object.load(std::memory_order_acquire) : nullptr;
  }

 private:
  struct Slot {
    std::atomic<Object*> object{nullptr};
    std::atomic<std::uint32_t> next_free{0};  // as in free_
  };

  static constexpr std::uint32_t first_chunk = 256;
  static constexpr std::size_t most_chunks = 20;  // 2^28 - 256 objects
  static std::size_t chunk_of(std::uint32_t number) { return std::bit_width(number / first_chunk + 1) - 1; }
  static std::uint32_t start_of(std::size_t chunk) { return ((1U << chunk) - 1) * first_chunk; }

  Slot* find(std::uint32_t number) const {
    const std::size_t chunk = chunk_of(number);
    if (chunk >= most_chunks) return nullptr;
    Slot* const slots = chunks_[chunk].load(std::memory_order_acquire);
    return slots != nullptr ? slots + (number - start_of(chunk)) : nullptr;
  }
  Slot& slot_for(std::uint32_t number);

  std::array<std::atomic<Slot*>, most_chunks> chunks_{};
  std::atomic<std::uint32_t> used_{0};  // slots that have ever been used
  // The list of free slots: the first one's number + 1 (0: none), below a count of the changes, so that a list that has
  // been changed and changed back is not taken for the old one.
  std::atomic<std::uint64_t> free_{0};
};

inline std::array<NumberedObjects, static_cast<std::size_t>(Kind::last_kind) + 1> numbered_objects;

// The number of an object; it gets one the first time. Predefined objects have theirs from the face.
std::int32_t new_number(Object& object);
inline std::int32_t number_of(Object& object) {
  const std::int32_t number = std::atomic_ref(object.fortran_handle).load(std::memory_order_acquire);
  // Types of MPI_Type_create_f90_... are predefined, and yet have no number at first.
  if (number != 0 || (object.predefined && object.kind != Kind::datatype)) return number;
  return new_number(object);
}
// For an object that ends.
void give_back_number(Object& object);

// Numbers of a kind of objects that programs make begin with this one. The face says which.
std::int32_t first_number(Kind kind);

inline Object* object_with_number(Kind kind, std::int32_t number, std::int32_t first) {
  const std::uint32_t index = static_cast<std::uint32_t>(number) - static_cast<std::uint32_t>(first);
  return numbered_objects[static_cast<std::size_t>(kind)].at(index);
}

}  // namespace cohort::mpi::faces
