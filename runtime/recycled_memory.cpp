// SPDX-License-Identifier: Apache-2.0
#include "runtime/recycled_memory.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <utility>

namespace cohort {

// The process's large pieces that are not in use, and the sizes that were returned last.
class RecycledMemory::Kept {
 public:
  static Kept& of_process() {
    static Kept& never_deleted = *new Kept;  // some memory may be returned after static objects are destroyed
    return never_deleted;
  }

  // Returns the smallest kept piece that has this many bytes, but not more than twice as many. Otherwise the piece has
  // no memory yet: the caller allocates it.
  Piece take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto found = pieces_.lower_bound(bytes);
    if (found != pieces_.end() && found->first / 2 <= bytes) return std::move(pieces_.extract(found).mapped().piece);
    return {.memory = nullptr, .size = bytes, .recurs = std::ranges::find(last_sizes_, bytes) != last_sizes_.end()};
  }

  void give(Piece piece) {
    std::multimap<std::size_t, Unused> forgotten;  // freed after the mutex is released
    const std::lock_guard lock(mutex_);
    last_sizes_[gifts_++ % patience] = piece.size;
    // The most recently returned piece is used first.
    if (piece.recurs)
      pieces_.emplace_hint(pieces_.lower_bound(piece.size), piece.size, Unused{std::move(piece), gifts_});
    if (gifts_ % patience == 0) forget(forgotten);
  }

 private:
  struct Unused {
    Piece piece;
    std::uint64_t since;  // the number of returns, when this piece was returned
  };
  static constexpr std::uint64_t patience = 16;  // returns

  // Evicts the pieces that were not used during the last 16 returns.
  void forget(std::multimap<std::size_t, Unused>& to) {
    for (auto each = pieces_.begin(); each != pieces_.end();) {
      const auto piece = each++;
      if (gifts_ - piece->second.since >= patience) to.insert(pieces_.extract(piece));
    }
  }

  std::mutex mutex_;
  std::multimap<std::size_t, Unused> pieces_;
  std::array<std::size_t, patience> last_sizes_{};
  std::uint64_t gifts_ = 0;
};

RecycledMemory::RecycledMemory(std::size_t bytes) {
  if (bytes == 0) return;
  // The allocator aligns memory less strictly, and keeps only small pieces of that usual alignment at hand. So the
  // piece is larger and data_ is aligned here.
  piece_.size = bytes + alignment;
  if (piece_.size >= large) piece_ = Kept::of_process().take(piece_.size);
  if (piece_.memory == nullptr) piece_.memory = std::make_unique_for_overwrite<std::byte[]>(piece_.size);
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(piece_.memory.get()) % alignment;
  data_ = piece_.memory.get() + (beyond == 0 ? 0 : alignment - beyond);
}

RecycledMemory::~RecycledMemory() {
  if (piece_.memory != nullptr && piece_.size >= large) Kept::of_process().give(std::move(piece_));
}

}  // namespace cohort
