// SPDX-License-Identifier: Apache-2.0
// Reads the memory of another process with one copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "runtime/transport/frame.hpp"

namespace cohort::shared {

// Bytes in another process's memory.
struct PeerPiece {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
};

using PeerPieces = SmallVector<PeerPiece, 2>;

// Copies all of `from` to `to`, which is as large. Returns why it failed, or nothing.
std::string read_peer(std::int32_t process, const PeerPieces& from, const Pieces& to);

// Whether this process can read the memory of that one: the number at the address there is the expected one.
bool can_read_peer(std::int32_t process, std::uint64_t address, std::uint64_t expected);

}  // namespace cohort::shared
