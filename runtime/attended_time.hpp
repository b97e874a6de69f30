// SPDX-License-Identifier: Apache-2.0
// A clock for limits on what other processes do. It counts only the time in which this process ran.
//
// A process that is stopped, or that a crowded machine keeps from running, hears nothing: the others are not to blame
// for that silence, and on the same machine they are as slow. So the time between two looks counts as one step at most.
// A limit of n steps passes after at least n looks, each after all that has arrived was heard.
#pragma once

#include <algorithm>
#include <chrono>

namespace cohort {

class AttendedTime {
 public:
  using Duration = std::chrono::nanoseconds;
  using RealTime = std::chrono::steady_clock::time_point;

  // If the process looks at least once in a step, all the time counts.
  explicit AttendedTime(Duration step, RealTime now = {}) : step_(step), looked_at_(now) {}

  // Looks begin, or resume after a pause that does not count.
  void begin(RealTime now) { looked_at_ = now; }

  // Call this after all that has arrived was heard. Returns whether all the time since the last look counts.
  bool look(RealTime now) {
    const Duration elapsed = now - looked_at_;
    attended_ += std::min(elapsed, step_);
    looked_at_ = now;
    return elapsed <= step_;
  }

  // The time counted so far: only differences mean anything.
  Duration now() const { return attended_; }

 private:
  Duration step_;
  RealTime looked_at_;
  Duration attended_{0};
};

}  // namespace cohort
