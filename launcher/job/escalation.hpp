// SPDX-License-Identifier: Apache-2.0
// How a job is made to end: a signal after each delay, SIGKILL last. If processes survive SIGKILL too, the job ends
// without waiting for them. No I/O.
#pragma once

#include <chrono>
#include <deque>
#include <optional>
#include <vector>

#include "launcher/deadline.hpp"
#include "launcher/job/exit_status.hpp"

namespace cohort {

class Escalation {
 public:
  // The steps depend on the reason. After a failure, the survivors get time to report their errors before the signal.
  void begin(const EndedBy& reason, Attended now);
  void kill(Attended now);  // at once
  void stop() { deadline_.reset(); }

  std::optional<Deadline> deadline() const { return deadline_; }

  // What to do now: send these signals in this order, then give up if `give_up` is set.
  struct Due {
    std::vector<int> signals;
    bool give_up = false;  // 10 s after the last signal
  };
  Due due(Attended now);

  // Whether any signal was due so far. A process that ends after a signal is not reported as a failure.
  bool has_signalled() const { return has_signalled_; }

 private:
  struct Step {
    std::chrono::milliseconds delay;  // after the previous step
    int signal;
  };
  static std::deque<Step> steps_for(const EndedBy& reason);
  void begin(std::deque<Step> steps, Attended now);
  void wait(Attended now);

  std::deque<Step> steps_;
  std::optional<Deadline> deadline_;  // of the next step, or of giving up
  bool has_signalled_ = false;
};

}  // namespace cohort
