// What stands in the memory of one receive that waits, so that it can be put back behind a message that is shorter.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/copy_bytes.hpp"
#include "runtime/messages/transfer.hpp"

namespace cohort {

class SetAside {
 public:
  // The beginning of the receive's memory as it was, `most` bytes at most; nullptr if it was not asked for before: what
  // is there already need not wait for a copy, and there is time for one while nothing comes.
  const std::byte* of(const ReceiveTransfer& receive, std::size_t most) {
    if (kept_ == receive.posted) return bytes_.data();
    if (std::exchange(asked_for_, receive.posted) != receive.posted) return nullptr;
    bytes_.resize(most);
    const Piece& memory = receive.memory[0];
    detail::copy_bytes(bytes_.data(), memory.data, std::min(memory.size, most));
    kept_ = receive.posted;
    return bytes_.data();
  }

 private:
  std::vector<std::byte> bytes_;
  std::uint64_t asked_for_ = 0;  // the receive's number, as kept_
  std::uint64_t kept_ = 0;
};

}  // namespace cohort
