// The scratch memory of one play: uninitialised, aligned for elements of any type.
//
// An allocator gives large pieces back to the system as they are freed, and the next call pays for each of their pages
// anew, which may take longer than its messages. So the large piece that was freed last is kept for the next play that
// needs one (docs/decisions/0060-large-scratch-memory-is-kept.md).
#pragma once

#include <cstddef>
#include <memory>

namespace cohort {

class Scratch {
 public:
  static constexpr std::size_t alignment = 64;
  // Smaller pieces the allocator keeps at hand itself.
  static constexpr std::size_t large = 131072;

  explicit Scratch(std::size_t bytes);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::byte* data() const { return data_; }  // null where there are no bytes

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t size_ = 0;  // of that
  std::byte* data_ = nullptr;
};

}  // namespace cohort
