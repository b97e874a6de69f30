// Whether the other end of a connection still answers, as the system sees it. Neither side's program is asked: it may
// compute, or be stopped, for as long as it likes.
//
// What counts is that bytes get through. A keepalive probe that is answered proves nothing of the data on their way: a
// link may lose large packets only. And a silence counts only if the system has tried towards its end: it retransmits
// at growing intervals, so a link that was away for a moment may look dead for as long again.
#pragma once

#include <cstdint>

#include "runtime/time_source.hpp"

namespace cohort {

// Of one connection.
class Silence {
 public:
  // Whether the system has tried to get something through for this limit in vain: data, or a probe of an idle
  // connection or of a closed window. Or for this limit less one interval of try_often(), if there was a try after
  // that: a link that is away for less is not found. To be asked now and then: it counts from the first look that
  // finds something to get through.
  bool lasts(int descriptor, Nanoseconds limit, Nanoseconds now);

 private:
  bool waits_ = false;
  std::uint64_t progress_ = 0;  // what changes when something gets through
  std::uint32_t resent_ = 0;    // segments in all
  std::uint32_t probes_ = 0;    // that are not answered
  int tries_ = 0;               // in this silence
  Nanoseconds since_{0};
  Nanoseconds tried_at_{0};
};

}  // namespace cohort
