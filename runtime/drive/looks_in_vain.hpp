// SPDX-License-Identifier: Apache-2.0
// A program that tests requests between short pieces of work tests more often than messages arrive, and each look waits
// until the processor has written what the program has. So after many looks in vain, a look is left out that follows
// the last one too soon: by a hundredth of the time in which nothing came.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace cohort::detail {

class LooksInVain {
 public:
  // Under the mutex: a look has found something, or nothing.
  void looked(bool found) {
    if (found) {
      in_a_row_ = 0;
      due_.store(0, std::memory_order_relaxed);
    } else if (++in_a_row_ >= many) {
      due_.store(time_stamp() + std::min(in_a_row_, most) * ticks, std::memory_order_relaxed);
    }
  }
  // By any thread. Where there are no time stamps, never.
  bool too_soon() const {
    const std::uint64_t due = due_.load(std::memory_order_relaxed);
    return due != 0 && time_stamp() < due;
  }

 private:
  static constexpr std::uint64_t many = 32;  // who waits for an answer looks at once
  static constexpr std::uint64_t most = 256;
#if defined(__x86_64__)
  static constexpr std::uint64_t ticks = 8;  // for each look in vain, 2 to 4 ns
  static std::uint64_t time_stamp() { return __builtin_ia32_rdtsc(); }
#else
  static constexpr std::uint64_t ticks = 0;
  static std::uint64_t time_stamp() { return 0; }
#endif

  std::uint64_t in_a_row_ = 0;
  std::atomic<std::uint64_t> due_ = 0;
};

}  // namespace cohort::detail
