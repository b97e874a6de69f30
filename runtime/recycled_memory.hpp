// SPDX-License-Identifier: Apache-2.0
// The runtime's own memory for the schedules' scratch and for messages without a receive: uninitialised, aligned for
// elements of any type.
//
// An allocator returns large pieces to the system when they are freed. The next user of such memory pays a page fault
// for each page, which may take longer than all else. So large pieces of a size that recurs are kept for the next user,
// until they have not been used during many returns (docs/decisions/tcp_large_messages.md).
#pragma once

#include <cstddef>
#include <memory>

namespace cohort {

class RecycledMemory {
 public:
  static constexpr std::size_t alignment = 64;
  // The allocator handles smaller pieces: it keeps most of them at hand itself.
  static constexpr std::size_t large = 16384;

  RecycledMemory() = default;
  explicit RecycledMemory(std::size_t bytes);
  RecycledMemory(RecycledMemory&& other) = default;
  RecycledMemory& operator=(RecycledMemory&& other) = default;
  ~RecycledMemory();

  std::byte* data() const { return data_; }  // null for 0 bytes

 private:
  class Kept;
  struct Piece {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size = 0;
    bool recurs = false;  // the same size was returned a short while ago
  };

  Piece piece_;
  std::byte* data_ = nullptr;
};

}  // namespace cohort
