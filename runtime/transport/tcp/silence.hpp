// Whether the other end of a connection still answers, as the system sees it. Neither side's program is asked: it may
// compute, or be stopped, for as long as it likes.
#pragma once

#include <chrono>
#include <cstdint>

namespace cohort {

// Lets the system end an idle connection whose other end has not answered for this limit (at least 4 s); 0: never.
// Not TCP_USER_TIMEOUT, which also ends one whose receiver lets its sender wait.
void keep_alive(int descriptor, std::chrono::nanoseconds limit);

// Of one connection on which something was sent.
class Silence {
 public:
  // Whether something is sent again and again, and nothing at all has come back for this limit. To be asked now and
  // then: it counts from when something was first found on its way.
  bool lasts(int descriptor, std::chrono::nanoseconds limit);

 private:
  bool waits_ = false;
  std::uint32_t heard_ = 0;  // segments in all
  std::uint32_t resent_ = 0;
  std::chrono::steady_clock::time_point since_{};
};

}  // namespace cohort
