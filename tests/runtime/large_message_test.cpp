// SPDX-License-Identifier: Apache-2.0
// Messages over 2 GiB and over 4 GiB arrive exact, over real TCP.
#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>

#include "tests/support/world.hpp"

namespace cohort::testing {
namespace {

constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15u;

// Memory that is not touched before it is used, and then in large pages where the system has them: small ones take most
// of this test's time.
struct Words {
  explicit Words(std::size_t count) : size(count), data(std::make_unique_for_overwrite<std::uint64_t[]>(count)) {
    constexpr std::uintptr_t page = std::uintptr_t{1} << 12;
    const auto first = (reinterpret_cast<std::uintptr_t>(data.get()) + page - 1) / page * page;
    ::madvise(reinterpret_cast<void*>(first), size * 8 - page, MADV_HUGEPAGE);
  }
  std::span<std::uint64_t> span() { return {data.get(), size}; }
  std::size_t size;
  std::unique_ptr<std::uint64_t[]> data;
};

// With what the system would give back, as of files that it has read.
double available_bytes() {
  std::ifstream memory("/proc/meminfo");
  for (std::string word; memory >> word;) {
    double kib = 0;
    if (word == "MemAvailable:" && memory >> kib) return kib * 1024;
  }
  return 0;
}

TEST(LargeMessages, Case57OverTwoAndOverFourGibibytes) {
  if (available_bytes() < 11e9) {
    if (std::getenv("COHORT_NO_SKIPS") != nullptr) FAIL() << "needs 11 GB of memory";
    GTEST_SKIP() << "needs 11 GB of memory for two buffers of 4 GiB";
  }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "too slow under a sanitizer";
#endif
  const std::size_t most = (std::size_t{4} << 30) / 8 + 5;
  run_all({Kind::tcp, 2, true, {}}, [&](const Group& all) {
    Words words(most);
    if (all.rank() == 0) {
      for (std::size_t i = 0; i < most; ++i) words.data[i] = i * multiplier;
    }
    const auto expect_exact = [&](std::size_t size) {
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < size; ++i) wrong += words.data[i] != i * multiplier;
      EXPECT_EQ(wrong, 0u);
    };
    if (all.rank() == 0) {
      all.send(words.span(), 1);
    } else {
      ASSERT_EQ(all.receive(words.span(), 0), static_cast<Count>(most));
      expect_exact(most);
    }
    const std::size_t over_two = (std::size_t{2} << 30) / 8 + 3;
    if (all.rank() == 1) std::memset(words.data.get(), 0, over_two * 8);
    all.bcast(words.span().first(over_two), 0);
    expect_exact(over_two);
  });
}

}  // namespace
}  // namespace cohort::testing
