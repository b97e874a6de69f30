// Memory of the runtime's own, uninitialised, aligned for elements of any type: of the schedules' scratch, and of
// messages that nobody has asked for yet.
//
// An allocator gives large pieces back to the system as they are freed, and the next that needs one pays for each of
// its pages anew, which may take longer than all else. So large pieces of a size that comes again and again are kept
// for the next that has use for them, until others have been given up many times since
// (docs/decisions/0061-memory-that-recurs-is-kept.md).
#pragma once

#include <cstddef>
#include <memory>

namespace cohort {

class RecycledMemory {
 public:
  static constexpr std::size_t alignment = 64;
  // Smaller pieces are left to the allocator, which keeps most of them at hand itself.
  static constexpr std::size_t large = 16384;

  RecycledMemory() = default;
  explicit RecycledMemory(std::size_t bytes);
  RecycledMemory(RecycledMemory&& other) = default;
  RecycledMemory& operator=(RecycledMemory&& other) = default;
  ~RecycledMemory();

  std::byte* data() const { return data_; }  // null where there are no bytes

 private:
  class Kept;
  struct Piece {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size = 0;
    bool recurs = false;  // its size was in use a short while ago
  };

  Piece piece_;
  std::byte* data_ = nullptr;
};

}  // namespace cohort
