// How a job is made to end: a signal after each delay, the last of them SIGKILL, and when even that is not enough,
// giving up.
#pragma once

#include <asio/io_context.hpp>
#include <chrono>
#include <csignal>
#include <deque>
#include <functional>
#include <utility>

#include "launcher/host/limit.hpp"

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

  Escalation(asio::io_context& loop, Handler handler) : limit_(loop), handler_(std::move(handler)) {}

  // A first step without delay is done at once.
  void begin(std::deque<Step> steps);
  void kill_now() { begin({{std::chrono::milliseconds(0), SIGKILL}}); }
  void stop() { limit_.cancel(); }

 private:
  void next();

  Limit limit_;
  Handler handler_;
  std::deque<Step> steps_;
};

}  // namespace cohort
