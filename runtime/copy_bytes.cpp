// SPDX-License-Identifier: Apache-2.0
#include "runtime/copy_bytes.hpp"

#include <cstdint>
#include <cstring>

namespace cohort::detail {
namespace {

// AMD's Zen 3 reports a fast string copy. But the copy takes 20 to 40 times as long where the target lies 1 to 31 bytes
// further in its page than the source in its own. Up to 63 bytes it still takes longer (glibc's bug 30994). glibc uses
// the string copy from 2,112 bytes up to at most the size of the second-level cache, and a loop for other sizes. Two
// vectors of whole pages, allocated one after the other, are 16 bytes apart in this way. See
// docs/decisions/tcp_large_messages.md.
constexpr std::uintptr_t page = 4096;
constexpr std::uintptr_t close_in_page = 64;
constexpr std::size_t longest_by_loop = 2048;
constexpr std::size_t longest_by_string = 1 << 20;

}  // namespace

void copy_bytes(std::byte* target, const std::byte* source, std::size_t size) {
  const std::uintptr_t ahead = reinterpret_cast<std::uintptr_t>(target) - reinterpret_cast<std::uintptr_t>(source);
  const std::uintptr_t ahead_in_page = ahead % page;
  const bool overlap = ahead < size;  // the target would overwrite the source before it is copied
  if (ahead_in_page > 0 && ahead_in_page < close_in_page && !overlap && size < longest_by_string) {
    // The size of a piece is not a constant: for a constant size the compiler would emit a string copy itself.
    const std::size_t piece = size / (size / longest_by_loop + 1);
    for (; size > piece; size -= piece) {
      std::memcpy(target, source, piece);
      target += piece;
      source += piece;
    }
  }
  if (size > 0) std::memmove(target, source, size);
}

}  // namespace cohort::detail
