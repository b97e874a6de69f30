// The clock of a machine without I/O, and the timer that wakes it for its next deadline. After a time in which this
// process did not run, what was said meanwhile is heard first.
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

  // The time of an event.
  Attended now();

  // `due` is called once, when this deadline has come, unless another one, or none, is set before.
  void set(std::optional<Deadline> deadline);

 private:
  void wait(Clock::duration time);
  void look();

  asio::steady_timer timer_;
  std::function<void()> due_;
  std::optional<Deadline> deadline_;
  Attended attended_{0};
  Clock::time_point looked_at_ = Clock::now();
  bool extended_ = false;  // a step was added to the deadline, for this process did not run when it came
  std::shared_ptr<const int> alive_ = std::make_shared<const int>();  // the timer may go off as this is destroyed
};

}  // namespace cohort
