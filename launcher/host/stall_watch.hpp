// Who of a host's processes is stopped, for how long, and whether that is to be told. A machine: looks in, stalls out.
// A process that a debugger has stopped is in somebody's hands, and does not count.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "cohort/types.hpp"
#include "launcher/deadline.hpp"

namespace cohort {

class StallWatch {
 public:
  // 0: a process may be stopped for ever.
  void limit(double seconds) { limit_s_ = seconds; }

  struct Stall {
    double seconds = 0;
    bool too_long = false;
  };

  // What a look at a process has found: whether a signal has stopped it, and its turns on a processor so far, in the
  // system's words. A stall is told once after a moment, and with every look once it lasts too long.
  std::optional<Stall> look(Pid pid, bool stopped, std::string turns, Attended now);

  // When the next stall will have lasted too long, so that a look comes just then.
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
