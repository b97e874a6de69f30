// SPDX-License-Identifier: Apache-2.0
// A time limit on other processes. Only time in which this process runs counts. If it was stopped, or got no processor,
// it handles the events that arrived meanwhile before the limit is over.
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

  // Starts the time anew, if the limit is running.
  void renew();

  // Returns whether the limit was running.
  bool cancel();
  bool running() const { return static_cast<bool>(over_); }

 private:
  AttendedTimer timer_;
  Clock::duration limit_{0};
  std::function<void()> over_;
};

}  // namespace cohort
