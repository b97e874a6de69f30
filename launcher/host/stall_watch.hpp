// SPDX-License-Identifier: Apache-2.0
// Which of a host's processes are stopped, for how long, and whether to report that. A machine: looks in, stalls out. A
// process that a debugger has stopped does not count: a user is at work on it.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cohort/types.hpp"
#include "launcher/deadline.hpp"

namespace cohort {

class StallWatch {
 public:
  // A stall is too long after this time; 0: never.
  void limit(double seconds) { limit_s_ = seconds; }

  struct Stall {
    double seconds = 0;
    bool too_long = false;
  };

  // The result of one look at a process: whether a signal has stopped it, and its scheduling statistics, as the
  // system's text. Returns a stall once after 1 s, and with every look once the stall is too long.
  std::optional<Stall> look(Pid pid, bool stopped, std::string turns, Attended now);

  // When the next stall becomes too long. The caller looks again at that time.
  std::optional<Attended> next_due(Attended now) const;

 private:
  struct Stopped {
    Attended since;
    std::string turns;
    bool told = false;
  };

  double limit_s_ = 0;
  std::map<Pid, Stopped> stopped_;
};

}  // namespace cohort
