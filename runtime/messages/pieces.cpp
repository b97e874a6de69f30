// SPDX-License-Identifier: Apache-2.0
#include "runtime/messages/pieces.hpp"

#include <algorithm>

#include "runtime/copy_bytes.hpp"

namespace cohort {

void copy_to(std::span<const Piece> to, const std::byte* from, std::size_t size) {
  for (const Piece& piece : to) {
    const std::size_t part = std::min(piece.size, size);
    detail::copy_bytes(piece.data, from, part);
    from += part;
    size -= part;
    if (size == 0) return;
  }
}

void copy_to(const Pieces& to, const ConstPieces& from) {
  std::uint64_t offset = 0;
  Pieces part;
  for (const ConstPiece& piece : from) {
    slice(to, offset, piece.size, part);
    copy_to(part, piece.data, piece.size);
    offset += piece.size;
  }
}

}  // namespace cohort
