// SPDX-License-Identifier: Apache-2.0
// The old content of the memory of one waiting receive, so that it can be restored behind a shorter message.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/transport/frame.hpp"

namespace cohort {

class SetAside {
 public:
  // Returns the old content of this place in the memory of the receive with this number. The first call for a receive
  // returns nullptr, so that data that have arrived already do not wait for a copy. A later call makes the copy, mostly
  // while nothing arrives.
  const std::byte* of(std::uint64_t receive, const Piece& place) {
    if (std::exchange(receive_, receive) != receive) {
      bytes_.clear();
      return nullptr;
    }
    if (bytes_.empty()) bytes_.assign(place.data, place.data + place.size);
    assert(bytes_.size() == place.size);
    return bytes_.data();
  }

 private:
  std::uint64_t receive_ = 0;
  std::vector<std::byte> bytes_;
};

}  // namespace cohort
