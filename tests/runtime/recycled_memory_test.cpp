// SPDX-License-Identifier: Apache-2.0
// Large pieces whose size recurs are the next user's, and nobody else's; others are given back to the system.
#include "runtime/recycled_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace cohort {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

constexpr std::size_t large = 2 * RecycledMemory::large;

TEST(RecycledMemory, IsAlignedAndAllOfItCanBeWritten) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{63}, std::size_t{4096}, RecycledMemory::large, large}) {
    const RecycledMemory memory(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory.data()) % RecycledMemory::alignment, 0u) << bytes;
    std::memset(memory.data(), 1, bytes);
  }
  EXPECT_EQ(RecycledMemory().data(), nullptr);
  EXPECT_EQ(RecycledMemory(0).data(), nullptr);
}

TEST(RecycledMemory, LargePiecesOfASizeThatRecursServeTheNextThatNeedNoMore) {
  const auto three_at_once = [](std::size_t bytes) {
    const RecycledMemory one(bytes), two(bytes), three(bytes);
    for (const RecycledMemory* memory : {&one, &two, &three}) std::memset(memory->data(), 1, bytes);
    return std::set<const std::byte*>{one.data(), two.data(), three.data()};
  };
  three_at_once(large);
  const auto first = three_at_once(large);
  EXPECT_EQ(first.size(), 3u);
  EXPECT_EQ(three_at_once(large), first);
  EXPECT_EQ(three_at_once(large / 2), first);
}

TEST(RecycledMemory, OfSeveralTheSmallestThatSufficesIsTaken) {
  const std::byte* small = nullptr;
  for (int round = 0; round < 2; ++round) {
    const RecycledMemory one(4 * large), two(large), three(8 * large);
    small = two.data();
  }
  EXPECT_EQ(RecycledMemory(large).data(), small);
}

TEST(RecycledMemory, WhatIsTooSmallIsNotTaken) {
  std::set<const std::byte*> smaller;  // all of them kept
  for (const std::size_t bytes : {large, 2 * large, 16 * large, 64 * large}) {
    const std::byte* data = nullptr;
    for (int round = 0; round < 2; ++round) {
      const RecycledMemory memory(bytes);
      std::memset(memory.data(), 1, bytes);
      data = memory.data();
      EXPECT_FALSE(smaller.contains(data)) << bytes;
    }
    smaller.insert(data);
  }
}

TEST(RecycledMemory, CanBeMoved) {
  const std::byte* data = nullptr;
  for (int round = 0; round < 2; ++round) {
    RecycledMemory memory;
    memory = RecycledMemory(large);
    data = memory.data();
    const RecycledMemory moved = std::move(memory);
    EXPECT_EQ(moved.data(), data);
    EXPECT_NE(RecycledMemory(large).data(), data);
  }
  EXPECT_EQ(RecycledMemory(large).data(), data);
}

// The bytes of the address space that this process holds. So large a piece is the allocator's own mapping, which is
// gone once it is freed.
constexpr std::size_t huge = std::size_t{64} << 20;

std::size_t held() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

TEST(RecycledMemory, WhatIsNeededOnceIsGivenBack) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's allocator keeps what is freed";
  const std::size_t before = held();
  for (std::size_t i = 0; i < 40; ++i) {
    const RecycledMemory memory(huge + i * RecycledMemory::alignment);
    EXPECT_GE(held(), before + huge);
  }
  EXPECT_LT(held(), before + huge);
}

TEST(RecycledMemory, WhatRecursIsKeptUntilOthersHaveBeenUsedInstead) {
  if (sanitized) GTEST_SKIP() << "a sanitizer's allocator keeps what is freed";
  const std::size_t before = held();
  for (int round = 0; round < 3; ++round) {
    const RecycledMemory one(huge), two(huge);
  }
  EXPECT_GE(held(), before + 2 * huge);
  for (int i = 0; i < 40; ++i) {
    const RecycledMemory one(huge), other(large);
  }
  EXPECT_GE(held(), before + huge);
  EXPECT_LT(held(), before + 2 * huge);  // one of the two was left over
  for (int i = 0; i < 40; ++i) {
    const RecycledMemory other(large);
  }
  EXPECT_LT(held(), before + huge);
}

TEST(RecycledMemory, ThreadsDoNotShareIt) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread] {
      for (int i = 0; i < 200; ++i) {
        const std::size_t bytes = RecycledMemory::large << (i % 3);
        const RecycledMemory memory(bytes);
        std::memset(memory.data(), thread, bytes);
        EXPECT_EQ(memory.data()[bytes / 2], static_cast<std::byte>(thread));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace cohort
