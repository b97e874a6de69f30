// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/shared/peer_memory.hpp"

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace cohort::shared {
namespace {

constexpr std::size_t pieces_per_call = 64;

// Fills system calls' lists from a list of pieces.
template <class List>
class Feed {
 public:
  explicit Feed(const List& pieces) : pieces_(pieces) {}

  // The next pieces, up to a number and at most `most` bytes. Returns how many bytes they are.
  std::size_t fill(std::array<iovec, pieces_per_call>& list, std::size_t& count, std::size_t most) const {
    std::size_t bytes = 0;
    std::size_t skip = skip_;
    count = 0;
    for (std::size_t i = next_; i < pieces_.size() && count < list.size() && bytes < most; ++i) {
      const std::size_t size = std::min<std::size_t>(pieces_[i].size - skip, most - bytes);
      if (size > 0) list[count++] = {address(pieces_[i], skip), size};
      bytes += size;
      skip = 0;
    }
    return bytes;
  }
  void skip(std::size_t bytes) {
    skip_ += bytes;
    while (next_ < pieces_.size() && skip_ >= pieces_[next_].size) skip_ -= pieces_[next_++].size;
  }

 private:
  static void* address(const PeerPiece& piece, std::size_t skip) {
    return reinterpret_cast<void*>(piece.address + skip);  // NOLINT: an address there, not here
  }
  static void* address(const Piece& piece, std::size_t skip) { return piece.data + skip; }

  const List& pieces_;
  std::size_t next_ = 0;
  std::size_t skip_ = 0;  // of the next piece
};

}  // namespace

std::string read_peer(std::int32_t process, const PeerPieces& from, const Pieces& to) {
  std::array<iovec, pieces_per_call> there, here;  // NOLINT: fill() sets what is used
  Feed source(from);
  Feed target(to);
  for (;;) {
    std::size_t sources = 0;
    std::size_t targets = 0;
    const std::size_t available = source.fill(there, sources, SIZE_MAX);
    const std::size_t wanted = target.fill(here, targets, available);
    if (wanted == 0) return {};
    const ssize_t got = ::process_vm_readv(process, here.data(), targets, there.data(), sources, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::system_category().message(got < 0 ? errno : EFAULT);
    source.skip(static_cast<std::size_t>(got));
    target.skip(static_cast<std::size_t>(got));
  }
}

bool can_read_peer(std::int32_t process, std::uint64_t address, std::uint64_t expected) {
  std::uint64_t found = ~expected;
  const PeerPieces there{PeerPiece{address, sizeof found}};
  const Pieces here{Piece{reinterpret_cast<std::byte*>(&found), sizeof found}};
  return read_peer(process, there, here).empty() && found == expected;
}

}  // namespace cohort::shared
