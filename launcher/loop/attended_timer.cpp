// SPDX-License-Identifier: Apache-2.0
#include "launcher/loop/attended_timer.hpp"

#include <algorithm>
#include <utility>

namespace cohort {

AttendedTimer::AttendedTimer(asio::io_context& loop, std::function<void()> due) : timer_(loop), due_(std::move(due)) {}

Attended AttendedTimer::now() {
  const Clock::time_point clock = Clock::now();
  const Attended elapsed = clock - std::exchange(looked_at_, clock);
  attended_ += deadline_ ? std::min(elapsed, 2 * deadline_->step) : elapsed;
  return attended_;
}

// If the timer already goes off before the new deadline, it stays as it is: look() then waits for the rest.
void AttendedTimer::set(std::optional<Deadline> deadline) {
  if (deadline == deadline_) return;
  const bool waits = deadline_.has_value();
  const Attended now = this->now();
  deadline_ = deadline;
  extended_ = false;
  if (!deadline_) return void(timer_.cancel());
  const Attended time = std::min(deadline_->at - now, deadline_->step);
  if (!waits || timer_.expiry() > looked_at_ + time) wait(time);
}

void AttendedTimer::wait(Clock::duration time) {
  timer_.expires_after(time);
  timer_.async_wait([this, alive = std::weak_ptr(alive_)](const asio::error_code& error) {
    if (!error && !alive.expired()) look();
  });
}

void AttendedTimer::look() {
  if (!deadline_) return;
  const bool ran = Clock::now() - timer_.expiry() <= deadline_->step;
  const Attended left = deadline_->at - now();
  if (left > Attended(0)) return wait(std::min(left, deadline_->step));
  if (!ran && !std::exchange(extended_, true)) return wait(deadline_->step);
  deadline_.reset();
  due_();
}

}  // namespace cohort
