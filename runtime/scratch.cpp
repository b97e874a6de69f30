#include "runtime/scratch.hpp"

#include <cstdint>
#include <mutex>
#include <utility>

namespace cohort {

namespace {

struct Kept {
  std::mutex mutex;
  std::unique_ptr<std::byte[]> memory;
  std::size_t size = 0;
};

Kept& kept() {
  static Kept& the_process_s = *new Kept;  // never deleted: a play may end after what is static
  return the_process_s;
}

}  // namespace

Scratch::Scratch(std::size_t bytes) {
  if (bytes == 0) return;
  // Not left to the allocator: it keeps small pieces at hand for memory of the usual alignment only.
  const std::size_t needed = bytes + alignment;
  if (needed >= large) {
    const std::lock_guard lock(kept().mutex);
    if (kept().size >= needed) {
      memory_ = std::move(kept().memory);
      size_ = std::exchange(kept().size, 0);
    }
  }
  if (memory_ == nullptr) {
    memory_ = std::make_unique_for_overwrite<std::byte[]>(needed);
    size_ = needed;
  }
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(memory_.get()) % alignment;
  data_ = memory_.get() + (beyond == 0 ? 0 : alignment - beyond);
}

Scratch::~Scratch() {
  if (size_ < large) return;
  const std::lock_guard lock(kept().mutex);
  std::swap(kept().memory, memory_);
  kept().size = size_;
}

}  // namespace cohort
