// A time limit on others. Only time in which this process ran counts. A process that was stopped, or got no processor,
// first hears what was said meanwhile.
#pragma once

#include <asio/io_context.hpp>
#include <functional>

#include "launcher/clock.hpp"
#include "launcher/loop/attended_timer.hpp"

namespace cohort {

class Limit {
 public:
  explicit Limit(asio::io_context& loop);

  // Calls `over` once, from the event loop, after this time, unless begin() or cancel() comes first.
  void begin(Clock::duration limit, std::function<void()> over);

  // Starts the time anew, if it runs.
  void renew();

  // Returns whether it ran.
  bool cancel();
  bool running() const { return static_cast<bool>(over_); }

 private:
  AttendedTimer timer_;
  Clock::duration limit_{0};
  std::function<void()> over_;
};

}  // namespace cohort
