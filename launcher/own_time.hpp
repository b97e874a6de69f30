// How much time has passed in which this process ran. A process that is stopped, or gets no processor, does not hear
// what the others say: such time must not count against them.
#pragma once

#include "launcher/clock.hpp"

namespace cohort {

// Looks at the clock every `step` or so. Where a look is later than twice that, the process did not run, and one step
// counts: so that a limit passes, though later, where no look is ever in time.
class OwnTime {
 public:
  OwnTime(Clock::duration step, Clock::time_point now) : step_(step), looked_at_(now) {}

  // Returns whether the process ran since the last look.
  bool look(Clock::time_point now) {
    const Clock::duration elapsed = now - looked_at_;
    const bool ran = elapsed <= 2 * step_;
    looked_at_ = now;
    passed_ += ran ? elapsed : step_;
    return ran;
  }

  // Until the last look.
  Clock::duration passed() const { return passed_; }

 private:
  Clock::duration step_;
  Clock::time_point looked_at_;
  Clock::duration passed_{0};
};

}  // namespace cohort
