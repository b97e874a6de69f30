// Memory for objects of one size: what a thread has given back last serves what it asks for next. A program that starts
// many operations at a time ends more of them in a row than the allocator keeps at hand.
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
    if (list.count == list.room && !begins_to_keep()) return ::operator delete(block, bytes);
    list.blocks[list.count++] = block;
  }

 private:
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr std::size_t most = 0;  // they see all that is freed
#else
  static constexpr std::size_t most = 64;
#endif

  // Trivial, so that to reach it costs nothing: what frees the blocks at the thread's end is made with the first.
  struct List {
    std::array<void*, most> blocks;
    std::size_t count = 0;
    std::size_t room = 0;
    bool ends = false;  // or has ended
  };
  struct End {
    ~End() {
      list.room = 0;  // for what is given back still later
      while (list.count > 0) ::operator delete(list.blocks[--list.count], bytes);
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
