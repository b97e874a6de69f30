// Memory for objects of one size: what a thread has given back last serves what it asks for next. A program that starts
// many operations at a time ends more of them in a row than the allocator keeps at hand.
#pragma once

#include <array>
#include <cstddef>
#include <new>

namespace cohort::detail {

template <std::size_t bytes>
class SpareBlocks {
 public:
  static void* take() { return list.count > 0 ? list.blocks[--list.count] : ::operator new(bytes); }

  static void give(void* block) {
    if (list.count < list.room) {
      list.blocks[list.count++] = block;
    } else {
      ::operator delete(block, bytes);
    }
  }

 private:
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr std::size_t most = 0;  // they see all that is freed
#else
  static constexpr std::size_t most = 64;
#endif

  struct List {
    ~List() {
      room = 0;  // for what is given back still later
      while (count > 0) ::operator delete(blocks[--count], bytes);
    }
    std::array<void*, most> blocks;
    std::size_t count = 0;
    std::size_t room = most;
  };
  static inline thread_local List list;
};

}  // namespace cohort::detail
