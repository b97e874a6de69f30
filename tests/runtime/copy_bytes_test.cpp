// SPDX-License-Identifier: Apache-2.0
// Copies are what memmove() makes of them, wherever the two places are.
#include "runtime/copy_bytes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace cohort::detail {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t sizes[] = {0, 1, 100, 2047, 2048, 2049, 2112, 4096, 5000, 8192, 20000, (1 << 20) - 1, 1 << 20};

std::vector<std::byte> pattern(std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 31 + i / 251);
  return bytes;
}

// Copies within one piece of memory, so that the two may overlap, and compares all of it.
void expect_as_memmove(std::size_t target, std::size_t source, std::size_t size) {
  std::vector<std::byte> copied = pattern(std::max(target, source) + size + page);
  std::vector<std::byte> moved = copied;
  copy_bytes(copied.data() + target, copied.data() + source, size);
  std::memmove(moved.data() + target, moved.data() + source, size);
  EXPECT_TRUE(copied == moved) << size << " bytes from " << source << " to " << target;
}

TEST(CopyBytes, AreWhatMemmoveMakes) {
  for (const std::size_t size : sizes) {
    const std::size_t far = (size / page + 1) * page;
    for (const std::size_t ahead : {0, 1, 15, 16, 31, 32, 63, 64, 2048, 4095}) {
      expect_as_memmove(far + ahead, 0, size);
      expect_as_memmove(0, far + ahead, size);
      expect_as_memmove(far, ahead, size);
    }
  }
}

TEST(CopyBytes, MayOverlap) {
  for (const std::size_t size : sizes) {
    for (const std::size_t apart : {1, 16, 63, 4033, 4080, 4097, 4112, 4159}) {
      expect_as_memmove(apart, 0, size);
      expect_as_memmove(0, apart, size);
    }
  }
}

}  // namespace
}  // namespace cohort::detail
