#include "runtime/recycled_memory.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <utility>

namespace cohort {

namespace {

using Memory = std::unique_ptr<std::byte[]>;

// The process's large pieces that nobody uses.
class Kept {
 public:
  // The smallest that has so many bytes, with its size; or none, and there is one less of those that are too small.
  std::pair<std::size_t, Memory> take(std::size_t least) {
    Memory too_small;  // freed when the lock is given up
    const std::lock_guard lock(mutex_);
    auto found = pieces_.lower_bound(least);
    const bool fits = found != pieces_.end();
    if (!fits && pieces_.empty()) return {};
    if (!fits) --found;
    auto piece = pieces_.extract(found);
    if (fits) return {piece.key(), std::move(piece.mapped().memory)};
    too_small = std::move(piece.mapped().memory);
    return {};
  }

  void give(std::size_t size, Memory piece) {
    std::multimap<std::size_t, Piece> unused;  // freed when the lock is given up
    const std::lock_guard lock(mutex_);
    // What was used last is used first.
    pieces_.emplace_hint(pieces_.lower_bound(size), size, Piece{std::move(piece), ++gifts_});
    if (gifts_ % patience == 0) drop_unused(unused);
  }

 private:
  struct Piece {
    Memory memory;
    std::uint64_t given;  // by which gift
  };
  static constexpr std::uint64_t patience = 16;  // gifts

  // Takes out those that so many gifts have come after.
  void drop_unused(std::multimap<std::size_t, Piece>& to) {
    for (auto each = pieces_.begin(); each != pieces_.end();) {
      const auto piece = each++;
      if (gifts_ - piece->second.given >= patience) to.insert(pieces_.extract(piece));
    }
  }

  std::mutex mutex_;
  std::multimap<std::size_t, Piece> pieces_;
  std::uint64_t gifts_ = 0;
};

Kept& kept() {
  static Kept& never_deleted = *new Kept;  // some memory may be given up after what is static is gone
  return never_deleted;
}

}  // namespace

RecycledMemory::RecycledMemory(std::size_t bytes) {
  if (bytes == 0) return;
  // Not left to the allocator: it keeps small pieces at hand for memory of the usual alignment only.
  const std::size_t needed = bytes + alignment;
  if (needed >= large) std::tie(size_, memory_) = kept().take(needed);
  if (memory_ == nullptr) {
    memory_ = std::make_unique_for_overwrite<std::byte[]>(needed);
    size_ = needed;
  }
  const std::size_t beyond = reinterpret_cast<std::uintptr_t>(memory_.get()) % alignment;
  data_ = memory_.get() + (beyond == 0 ? 0 : alignment - beyond);
}

RecycledMemory::~RecycledMemory() {
  if (memory_ != nullptr && size_ >= large) kept().give(size_, std::move(memory_));
}

}  // namespace cohort
