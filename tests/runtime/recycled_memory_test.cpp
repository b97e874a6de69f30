// Large pieces are the next user's; nobody has another's.
#include "runtime/recycled_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <utility>
#include <vector>

namespace cohort {
namespace {

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

TEST(RecycledMemory, LargePiecesServeTheNextThatNeedNoMore) {
  const auto three_at_once = [](std::size_t bytes) {
    const RecycledMemory one(bytes), two(bytes), three(bytes);
    for (const RecycledMemory* memory : {&one, &two, &three}) std::memset(memory->data(), 1, bytes);
    return std::set<const std::byte*>{one.data(), two.data(), three.data()};
  };
  const auto first = three_at_once(large);
  EXPECT_EQ(first.size(), 3u);
  EXPECT_EQ(three_at_once(large), first);
  EXPECT_EQ(three_at_once(large / 2), first);
}

TEST(RecycledMemory, OfSeveralTheSmallestThatSufficesIsTaken) {
  const std::byte* small = nullptr;
  {
    const RecycledMemory one(2 * large), two(large), three(4 * large);
    small = two.data();
  }
  EXPECT_EQ(RecycledMemory(large).data(), small);
}

TEST(RecycledMemory, WhatIsTooSmallIsNotTaken) {
  for (const std::size_t bytes : {large, 2 * large, 4 * large}) {
    const RecycledMemory memory(bytes);
    std::memset(memory.data(), 1, bytes);
  }
}

TEST(RecycledMemory, CanBeMoved) {
  RecycledMemory memory;
  memory = RecycledMemory(large);
  const std::byte* data = memory.data();
  const RecycledMemory moved = std::move(memory);
  EXPECT_EQ(moved.data(), data);
  EXPECT_NE(RecycledMemory(large).data(), data);
}

TEST(RecycledMemory, ThreadsDoNotShareIt) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread] {
      for (int i = 0; i < 20; ++i) {
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
