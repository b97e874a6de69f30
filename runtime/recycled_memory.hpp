// Memory of the runtime's own, uninitialised, aligned for elements of any type: of the schedules' scratch, and of
// messages that nobody has asked for yet.
//
// An allocator gives large pieces back to the system as they are freed, and the next that needs one pays for each of
// its pages anew, which may take longer than all else. So large pieces are kept for the next that has use for them, no
// more than were in use at once, until others have been used many times since
// (docs/decisions/0060-large-memory-is-kept.md).
#pragma once

#include <cstddef>
#include <memory>

namespace cohort {

class RecycledMemory {
 public:
  static constexpr std::size_t alignment = 64;
  // Smaller pieces are left to the allocator, which keeps most of them at hand itself.
  static constexpr std::size_t large = 4194304;

  RecycledMemory() = default;
  explicit RecycledMemory(std::size_t bytes);
  RecycledMemory(RecycledMemory&& other) = default;
  RecycledMemory& operator=(RecycledMemory&& other) = default;
  ~RecycledMemory();

  std::byte* data() const { return data_; }  // null where there are no bytes

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t size_ = 0;  // of that
  std::byte* data_ = nullptr;
};

}  // namespace cohort
