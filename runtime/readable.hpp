// SPDX-License-Identifier: Apache-2.0
// Waits for descriptors, with an exact limit.
#pragma once

#include <poll.h>

#include <cstdint>
#include <span>

#include "runtime/time_source.hpp"

namespace cohort {

// Returns when one of the descriptors is readable, a signal arrives, or the limit has passed. The entries say which
// descriptors are readable.
inline void wait_until_readable(std::span<pollfd> entries, Nanoseconds limit) {
  constexpr Nanoseconds longest = std::chrono::hours(1);
  const std::int64_t nanoseconds = (limit < longest ? limit : longest).count();
  const timespec time{nanoseconds / 1'000'000'000, nanoseconds % 1'000'000'000};
  ::ppoll(entries.data(), entries.size(), &time, nullptr);
}

}  // namespace cohort
