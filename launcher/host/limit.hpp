// A limit for others: of all time, that counts in which this process ran. One that was stopped, or got no processor,
// first hears what was said meanwhile.
#pragma once

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "launcher/clock.hpp"
#include "runtime/attended_time.hpp"

namespace cohort {

class Limit {
 public:
  explicit Limit(asio::io_context& loop) : timer_(loop) {}

  // Calls `over` from the event loop, once: after so much time, unless it is begun anew or cancelled before.
  void begin(Clock::duration limit, std::function<void()> over);

  // All the time again, if it runs.
  void renew();

  // Returns whether it ran.
  bool cancel();
  bool running() const { return run_ != nullptr; }

 private:
  void wait(Clock::duration time);
  void look();

  asio::steady_timer timer_;
  Clock::duration limit_{0};
  Clock::duration step_{0};
  std::function<void()> over_;
  std::optional<AttendedTime> time_;
  bool extended_ = false;
  std::shared_ptr<const int> run_;  // one for each begin()
};

}  // namespace cohort
