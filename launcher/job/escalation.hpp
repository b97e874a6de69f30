// How a job is made to end: a signal after each delay, the last of them SIGKILL, and when even that is not enough,
// giving up.
#pragma once

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <csignal>
#include <deque>
#include <functional>
#include <utility>

namespace cohort {

class Escalation {
 public:
  struct Step {
    std::chrono::milliseconds delay;  // after the step before
    int signal;
  };
  struct Handler {
    std::function<void(int signal)> signal;
    std::function<void()> give_up;  // 10 s after the last step
  };

  Escalation(asio::io_context& loop, Handler handler) : timer_(loop), handler_(std::move(handler)) {}

  // A first step without delay is done at once.
  void begin(std::deque<Step> steps);
  void kill_now() { begin({{std::chrono::milliseconds(0), SIGKILL}}); }
  void stop() { timer_.cancel(); }

 private:
  void next();

  asio::steady_timer timer_;
  Handler handler_;
  std::deque<Step> steps_;
};

}  // namespace cohort
