#include "launcher/host/limit.hpp"

#include <algorithm>
#include <utility>

namespace cohort {

namespace {

constexpr int steps_per_limit = 10;
constexpr std::chrono::milliseconds shortest_step(10);
constexpr std::chrono::milliseconds longest_step(250);

}  // namespace

void Limit::begin(Clock::duration limit, std::function<void()> over) {
  limit_ = limit;
  step_ = std::clamp<Clock::duration>(limit / steps_per_limit, shortest_step, longest_step);
  over_ = std::move(over);
  run_ = std::make_shared<const int>();
  renew();
  wait(std::min(limit_, step_));
}

void Limit::renew() {
  time_.emplace(2 * step_, Clock::now());
  extended_ = false;
}

bool Limit::cancel() {
  timer_.cancel();
  over_ = nullptr;
  return std::exchange(run_, nullptr) != nullptr;
}

// The timer may have gone off before it was cancelled, or begun anew: what it called then is of an earlier run.
void Limit::wait(Clock::duration time) {
  timer_.expires_after(time);
  timer_.async_wait([this, run = std::weak_ptr(run_)](const asio::error_code& error) {
    if (!error && !run.expired()) look();
  });
}

void Limit::look() {
  const bool ran = time_->look(Clock::now());
  const Clock::duration left = limit_ - time_->now();
  if (left > Clock::duration(0)) return wait(std::min(left, step_));
  if (!ran && !std::exchange(extended_, true)) return wait(step_);
  run_ = nullptr;
  std::exchange(over_, nullptr)();
}

}  // namespace cohort
