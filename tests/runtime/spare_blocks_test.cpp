// SPDX-License-Identifier: Apache-2.0
#include "runtime/spare_blocks.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

namespace cohort::testing {
namespace {

constexpr std::size_t bytes = 984;
using Blocks = detail::SpareBlocks<bytes>;

// All of each is written, so that two that overlap, or one that is too small, would show.
std::vector<void*> take(std::size_t count) {
  std::vector<void*> blocks;
  for (std::size_t i = 0; i < count; ++i) blocks.push_back(std::memset(Blocks::take(), static_cast<int>(i), bytes));
  EXPECT_EQ(std::set<void*>(blocks.begin(), blocks.end()).size(), count);
  return blocks;
}

void give(const std::vector<void*>& blocks) {
  for (void* const block : blocks) Blocks::give(block);
}

TEST(SpareBlocks, AreTakenAgain) {
  void* const block = Blocks::take();
  Blocks::give(block);
  void* const again = Blocks::take();
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_EQ(again, block);
#endif
  Blocks::give(again);
}

TEST(SpareBlocks, OfWhichThereAreManyAreAllDistinct) {
  for (const std::size_t count : {1, 63, 64, 65, 1000}) give(take(count));
}

TEST(SpareBlocks, MayBeGivenBackByAnotherThread) {
  for (int i = 0; i < 3; ++i) {
    const std::vector<void*> blocks = take(100);
    std::thread([&] { give(blocks); }).join();
  }
}

// As what is static does.
struct GivesBackLate {
  ~GivesBackLate() { Blocks::give(block); }
  void* block = nullptr;
};
thread_local GivesBackLate late;

TEST(SpareBlocks, MayBeGivenBackWhileAThreadEnds) {
  std::thread([] {
    late.block = nullptr;  // made before the thread's list, so that it ends after it
    void* const block = Blocks::take();
    Blocks::give(Blocks::take());
    late.block = block;
  }).join();
}

}  // namespace
}  // namespace cohort::testing
