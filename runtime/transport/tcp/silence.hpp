// SPDX-License-Identifier: Apache-2.0
// Whether the other end of a connection still answers, as the system sees it. The programs are not asked: they may
// compute, or be stopped, for as long as they like.
//
// Bytes must get through. An answered keepalive probe proves nothing about data in flight, because a link may lose only
// large packets. And a silence counts only if the system has tried towards its end: it retransmits at growing
// intervals, so a link that was cut for a moment may look dead for as long again.
#pragma once

#include <cstdint>

#include "runtime/time_source.hpp"

namespace cohort {

// For one connection.
class Silence {
 public:
  // Whether the system has tried in vain for this limit to get something through: data, or a probe of an idle
  // connection or of a closed window. The limit less one interval of try_often() suffices if there was a try after it:
  // a shorter cut is not reported. To be called now and then: the time counts from the first look that finds something
  // to get through.
  bool lasts(int descriptor, Nanoseconds limit, Nanoseconds now);

 private:
  bool waits_ = false;
  std::uint64_t progress_ = 0;  // changes when something gets through
  std::uint32_t resent_ = 0;    // segments in total
  std::uint32_t probes_ = 0;    // unanswered
  int tries_ = 0;               // in this silence
  Nanoseconds since_{0};
  Nanoseconds tried_at_{0};
};

}  // namespace cohort
