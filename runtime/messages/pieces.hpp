// SPDX-License-Identifier: Apache-2.0
// Arithmetic on lists of memory pieces.
#pragma once

#include "runtime/transport/frame.hpp"

namespace cohort {

// Makes `result` the bytes from `offset` to `offset + size` of a list of pieces. `Pieces` or `ConstPieces`.
template <class List>
void slice(const List& pieces, std::uint64_t offset, std::uint64_t size, List& result) {
  result.clear();
  for (auto piece : pieces) {
    if (size == 0) break;
    if (offset >= piece.size) {
      offset -= piece.size;
      continue;
    }
    piece.data += offset;
    piece.size = std::min<std::uint64_t>(piece.size - offset, size);
    offset = 0;
    size -= piece.size;
    result.push_back(piece);
  }
}

template <class List>
std::uint64_t total_size(const List& pieces) {
  std::uint64_t total = 0;
  for (const auto& piece : pieces) total += piece.size;
  return total;
}

// Copies `size` bytes into the pieces, beginning with the first.
void copy_to(std::span<const Piece> to, const std::byte* from, std::size_t size);

// Copies pieces to pieces, total_size(from) bytes.
void copy_to(const Pieces& to, const ConstPieces& from);

}  // namespace cohort
