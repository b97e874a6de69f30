// A limit for others: of all time, that counts in which this process ran. One that was stopped, or got no processor,
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

  // Calls `over` from the event loop, once: after so much time, unless it is begun anew or cancelled before.
  void begin(Clock::duration limit, std::function<void()> over);

  // All the time again, if it runs.
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
