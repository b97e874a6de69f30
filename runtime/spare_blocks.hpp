// SPDX-License-Identifier: Apache-2.0
// Memory for objects of one size: a thread's next allocation reuses the block that it returned last. A program that
// starts many operations at once ends more of them in a row than the allocator keeps at hand.
#pragma once

#include <array>
#include <cstddef>
#include <new>
#include <utility>

namespace cohort::detail {

template <std::size_t bytes>
class SpareBlocks {
 public:
  static void* take() { return list.count > 0 ? list.blocks[--list.count] : ::operator new(bytes); }

  static void give(void* block) {
    if (list.count == list.room && !begins_to_keep()) return ::operator delete(block);
    list.blocks[list.count++] = block;
  }

 private:
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr std::size_t most = 0;  // the sanitizers must see every free
#else
  static constexpr std::size_t most = 64;
#endif

  // Trivial, so that access costs nothing. The object that frees the blocks at the thread's end is made together with
  // the first kept block.
  struct List {
    std::array<void*, most> blocks;
    std::size_t count = 0;
    std::size_t room = 0;
    bool ends = false;  // the list has an End, or had one
  };
  struct End {
    ~End() {
      list.room = 0;  // for blocks that are returned even later
      while (list.count > 0) ::operator delete(list.blocks[--list.count]);
    }
  };
  static bool begins_to_keep() {
    if (most == 0 || std::exchange(list.ends, true)) return false;
    static thread_local End end;
    list.room = most;
    return true;
  }
  static inline constinit thread_local List list{};
};

}  // namespace cohort::detail
