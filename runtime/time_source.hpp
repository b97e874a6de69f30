// SPDX-License-Identifier: Apache-2.0
// The clock is passed in, so that tests own the time.
#pragma once

#include <chrono>

namespace cohort {

using Nanoseconds = std::chrono::nanoseconds;
using TimeSource = Nanoseconds (*)();

// The system's monotonic clock. Only differences mean anything.
inline Nanoseconds steady_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

}  // namespace cohort
