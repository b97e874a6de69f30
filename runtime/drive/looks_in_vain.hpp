// SPDX-License-Identifier: Apache-2.0
// A program that tests requests between short pieces of work tests more often than messages arrive, and each look waits
// until the processor has written what the program has. So after many looks in vain, a look is left out that follows
// the last one too soon: by at most a tenth of the time in which nothing came.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "runtime/time_source.hpp"

namespace cohort::detail {

class LooksInVain {
 public:
  // Under the mutex: a look has found something, or nothing. `now`: time_stamp().
  void looked(bool found, std::uint64_t now) {
    in_a_row_ = found ? 0 : in_a_row_ + 1;
    due_.store(in_a_row_ < many ? 0 : now + std::min(in_a_row_, most) * ticks, std::memory_order_relaxed);
  }
  // By any thread. Time stamps of other processors, and of the time before a machine slept, may be far away.
  bool too_soon(std::uint64_t now) const {
    return due_.load(std::memory_order_relaxed) - now - 1 < most * ticks;  // wraps around if it is due
  }

  // The processor's, if it costs less than the clock: `ticks` of them are 2 to 4 ns.
#if defined(__x86_64__)
  static constexpr std::uint64_t ticks = 8;
  static std::uint64_t time_stamp() { return __builtin_ia32_rdtsc(); }
#else
  static constexpr std::uint64_t ticks = 3;
  static std::uint64_t time_stamp() { return static_cast<std::uint64_t>(steady_now().count()); }
#endif

 private:
  static constexpr std::uint64_t many = 32;  // who waits for an answer looks at once
  static constexpr std::uint64_t most = 256;

  std::uint64_t in_a_row_ = 0;
  std::atomic<std::uint64_t> due_ = 0;
};

}  // namespace cohort::detail
