// Where the time comes from: passed in, so that tests own it.
#pragma once

#include <chrono>

namespace cohort {

using Nanoseconds = std::chrono::nanoseconds;
using TimeSource = Nanoseconds (*)();

// The system's clock that nobody sets. Only differences mean anything.
inline Nanoseconds steady_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

}  // namespace cohort
