// SPDX-License-Identifier: Apache-2.0
#include "mpi/faces/common/handle_numbers.hpp"

#include <memory>

#include "mpi/core/mistake.hpp"

namespace cohort::mpi::faces {

NumberedObjects::Slot& NumberedObjects::slot_for(std::uint32_t number) {
  const std::size_t chunk = chunk_of(number);
  check(chunk < most_chunks, abi::err_no_mem, "there are too many handles at a time");
  if (chunks_[chunk].load(std::memory_order_acquire) == nullptr) {
    auto slots = std::make_unique<Slot[]>(std::size_t{first_chunk} << chunk);
    Slot* expected = nullptr;
    // Another thread may have been faster.
    if (chunks_[chunk].compare_exchange_strong(expected, slots.get(), std::memory_order_acq_rel)) slots.release();
  }
  return *find(number);
}

std::uint32_t NumberedObjects::add(Object& object) {
  std::uint64_t head = free_.load(std::memory_order_acquire);
  while (static_cast<std::uint32_t>(head) != 0) {
    const std::uint32_t number = static_cast<std::uint32_t>(head) - 1;
    Slot& slot = *find(number);
    const std::uint64_t changes = (head >> 32) + 1;
    const std::uint64_t rest = changes << 32 | slot.next_free.load(std::memory_order_relaxed);
    if (free_.compare_exchange_weak(head, rest, std::memory_order_acq_rel, std::memory_order_acquire)) {
      slot.object.store(&object, std::memory_order_release);
      return number;
    }
  }
  const std::uint32_t number = used_.fetch_add(1, std::memory_order_relaxed);
  slot_for(number).object.store(&object, std::memory_order_release);
  return number;
}

void NumberedObjects::remove(std::uint32_t number) {
  Slot& slot = *find(number);
  slot.object.store(nullptr, std::memory_order_relaxed);
  std::uint64_t head = free_.load(std::memory_order_relaxed);
  std::uint64_t with_slot = 0;
  do {
    slot.next_free.store(static_cast<std::uint32_t>(head), std::memory_order_relaxed);
    with_slot = ((head >> 32) + 1) << 32 | (number + 1);
  } while (!free_.compare_exchange_weak(head, with_slot, std::memory_order_acq_rel, std::memory_order_relaxed));
}

std::int32_t new_number(Object& object) {
  NumberedObjects& objects = numbered_objects[static_cast<std::size_t>(object.kind)];
  const auto first = static_cast<std::uint32_t>(first_number(object.kind));
  const std::uint32_t index = objects.add(object);
  const auto number = static_cast<std::int32_t>(first + index);
  std::int32_t before = 0;
  if (std::atomic_ref(object.fortran_handle).compare_exchange_strong(before, number, std::memory_order_acq_rel)) {
    return number;
  }
  objects.remove(index);  // another thread was faster
  return before;
}

void give_back_number(Object& object) {
  if (object.predefined || object.fortran_handle == 0) return;
  const auto first = static_cast<std::uint32_t>(first_number(object.kind));
  const std::uint32_t index = static_cast<std::uint32_t>(object.fortran_handle) - first;
  numbered_objects[static_cast<std::size_t>(object.kind)].remove(index);
}

}  // namespace cohort::mpi::faces
