// SPDX-License-Identifier: Apache-2.0
// The clock of a machine without I/O, and the timer that wakes the machine for its next deadline. If this process did
// not run when the deadline came, the timer waits one more step: events that arrived meanwhile are handled first.
#pragma once

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "launcher/clock.hpp"
#include "launcher/deadline.hpp"

namespace cohort {

class AttendedTimer {
 public:
  // `due` is called from the event loop.
  AttendedTimer(asio::io_context& loop, std::function<void()> due);
  AttendedTimer(const AttendedTimer&) = delete;
  AttendedTimer& operator=(const AttendedTimer&) = delete;

  // The time to pass with an event.
  Attended now();

  // Calls `due` once when the deadline has come. The next set() replaces the deadline.
  void set(std::optional<Deadline> deadline);

 private:
  void wait(Clock::duration time);
  void look();

  asio::steady_timer timer_;
  std::function<void()> due_;
  std::optional<Deadline> deadline_;
  Attended attended_{0};
  Clock::time_point looked_at_ = Clock::now();
  bool extended_ = false;  // one step was added, because this process did not run when the deadline came
  std::shared_ptr<const int> alive_ =
      std::make_shared<const int>();  // expires on destruction, after which a handler may still be queued
};

}  // namespace cohort
