#include "runtime/scratch.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace cohort {
namespace {

constexpr std::size_t kept = 2 * Scratch::large;

TEST(Scratch, IsAlignedAndAllOfItCanBeWritten) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{63}, std::size_t{4096}, Scratch::large, kept}) {
    const Scratch scratch(bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(scratch.data()) % Scratch::alignment, 0u) << bytes;
    std::memset(scratch.data(), 1, bytes);
  }
  EXPECT_EQ(Scratch(0).data(), nullptr);
}

TEST(Scratch, TheLargePieceThatWasFreedLastServesTheNextThatIsNoLarger) {
  const std::byte* first = Scratch(kept).data();
  const std::byte* second = Scratch(kept / 2).data();
  const std::byte* third = Scratch(kept).data();
  EXPECT_EQ(first, second);
  EXPECT_EQ(first, third);
}

TEST(Scratch, OneThatIsTooSmallIsNotTaken) {
  { const Scratch small(kept); }
  const Scratch large(4 * kept);
  std::memset(large.data(), 1, 4 * kept);
}

TEST(Scratch, TwoAtOnceAreTwo) {
  { const Scratch before(kept); }
  const Scratch one(kept), other(kept);
  EXPECT_TRUE(one.data() + kept <= other.data() || other.data() + kept <= one.data());
}

TEST(Scratch, ThreadsDoNotShareOne) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread] {
      for (int i = 0; i < 200; ++i) {
        const std::size_t bytes = Scratch::large << (i % 3);
        const Scratch scratch(bytes);
        std::memset(scratch.data(), thread, bytes);
        EXPECT_EQ(scratch.data()[bytes / 2], static_cast<std::byte>(thread));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace cohort
