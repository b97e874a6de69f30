// SPDX-License-Identifier: Apache-2.0
// How many bytes of a host's output are on their way to the launcher. While the window is full, no more output is read.
#pragma once

#include <algorithm>
#include <cstdint>

namespace cohort {

class OutputWindow {
 public:
  bool open() const { return on_the_way_ < size; }
  bool empty() const { return on_the_way_ == 0; }

  void sent(std::uint64_t bytes) { on_the_way_ += bytes; }

  // The launcher has written so many bytes. Returns true if this opens the window.
  bool taken(std::uint64_t bytes) {
    const bool was_open = open();
    on_the_way_ -= std::min(bytes, on_the_way_);
    return !was_open && open();
  }

 private:
  static constexpr std::uint64_t size = 1u << 20;
  std::uint64_t on_the_way_ = 0;  // bytes
};

}  // namespace cohort
