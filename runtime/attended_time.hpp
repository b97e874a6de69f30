// A clock for limits on what others do. It counts the time in which this process was there to notice.
//
// A process that is stopped, or that a crowded machine keeps from running, hears nothing. The others are not to blame
// for that silence, and on the same machine they are as slow. So of the time between two looks only a step counts:
// a limit of so many steps passes after as many looks, each of which has heard what was there.
#pragma once

#include <algorithm>
#include <chrono>

namespace cohort {

class AttendedTime {
 public:
  using Duration = std::chrono::nanoseconds;
  using RealTime = std::chrono::steady_clock::time_point;

  // A process that looks at least once in a step loses nothing.
  explicit AttendedTime(Duration step, RealTime now = {}) : step_(step), looked_at_(now) {}

  // Looks begin, or go on after a pause that counts for nothing.
  void begin(RealTime now) { looked_at_ = now; }

  // Once all that is there has been heard. Returns whether all the time since the last look counts.
  bool look(RealTime now) {
    const Duration elapsed = now - looked_at_;
    attended_ += std::min(elapsed, step_);
    looked_at_ = now;
    return elapsed <= step_;
  }

  // So far: only differences mean anything.
  Duration now() const { return attended_; }

 private:
  Duration step_;
  RealTime looked_at_;
  Duration attended_{0};
};

}  // namespace cohort
