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
#include <new>
#include <span>
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

// The same few pages again and again, as to be sent: to fill 4 GiB would take half of this test's time. A period is no
// multiple of what a transport might lose or send twice.
class RepeatedWords {
 public:
  static constexpr std::size_t period = ((std::size_t{64} << 20) + 4096) / 8;
  static std::uint64_t at(std::size_t index) { return index % period * multiplier; }

  explicit RepeatedWords(std::size_t count)
      : size_(count), bytes_((count + period - 1) / period * period * 8), pages_(::memfd_create("words", 0)) {
    void* place = ::mmap(nullptr, bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages_ < 0 || place == MAP_FAILED || ::ftruncate(pages_, period * 8) != 0) throw std::bad_alloc();
    words_ = static_cast<std::uint64_t*>(place);
    for (std::size_t begin = 0; begin < bytes_ / 8; begin += period) {
      if (::mmap(words_ + begin, period * 8, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, pages_, 0) == MAP_FAILED)
        throw std::bad_alloc();
    }
    for (std::size_t i = 0; i < period; ++i) words_[i] = at(i);
  }
  ~RepeatedWords() {
    ::munmap(words_, bytes_);
    ::close(pages_);
  }
  RepeatedWords(const RepeatedWords&) = delete;
  RepeatedWords& operator=(const RepeatedWords&) = delete;

  std::span<std::uint64_t> span() { return {words_, size_}; }

 private:
  std::size_t size_, bytes_;
  int pages_;
  std::uint64_t* words_ = nullptr;
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
  if (available_bytes() < 6e9) {
    if (std::getenv("COHORT_NO_SKIPS") != nullptr) FAIL() << "needs 6 GB of memory";
    GTEST_SKIP() << "needs 6 GB of memory for a buffer of 4 GiB";
  }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "too slow under a sanitizer";
#endif
  const std::size_t most = (std::size_t{4} << 30) / 8 + 5;
  const std::size_t over_two = (std::size_t{2} << 30) / 8 + 3;
  run_all({Kind::tcp, 2, true, {}}, [&](const Group& all) {
    if (all.rank() == 0) {
      RepeatedWords words(most);
      all.send(words.span(), 1);
      all.bcast(words.span().first(over_two), 0);
      return;
    }
    Words words(most);
    const auto expect_exact = [&](std::size_t size) {
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < size; ++i) wrong += words.data[i] != RepeatedWords::at(i);
      EXPECT_EQ(wrong, 0u);
    };
    ASSERT_EQ(all.receive(words.span(), 0), static_cast<Count>(most));
    expect_exact(most);
    std::memset(words.data.get(), 0, over_two * 8);
    all.bcast(words.span().first(over_two), 0);
    expect_exact(over_two);
  });
}

}  // namespace
}  // namespace cohort::testing
