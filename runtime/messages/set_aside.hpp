// What stands in the memory of one receive that waits, so that it can be put back behind a message that is shorter.
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
  // What stood at this place of the memory of the receive with this number; nullptr if it is the first time that it is
  // asked for: what is there already need not wait for a copy, and mostly there is time for one while nothing comes.
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
