#include "launcher/pulse.hpp"

#include <algorithm>
#include <utility>

namespace cohort {

namespace {
constexpr int beats_per_limit = 5;
}

Pulse::Pulse(asio::io_context& loop, double limit_s, Handler handler)
    : timer_(loop),
      limit_(std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit_s))),
      handler_(std::move(handler)) {}

void Pulse::start() {
  heard();
  ticked_at_ = Clock::now();
  if (limit_ > Clock::duration(0)) tick();
}

void Pulse::stop() { timer_.cancel(); }

void Pulse::pause(bool paused) {
  paused_ = paused;
  heard();
}

void Pulse::tick() {
  const Clock::duration interval = limit_ / beats_per_limit;
  const Clock::time_point now = Clock::now();
  // Whoever was stopped, or had no processor, has not listened: the silence is its own.
  if (now - ticked_at_ > 2 * interval || paused_) heard();
  ticked_at_ = now;
  if (quiet_for() >= limit_) return handler_.silent();
  if (!paused_) handler_.beat();
  timer_.expires_at(std::min(now + interval, heard_at_ + limit_));
  timer_.async_wait([this](const asio::error_code& error) {
    if (!error) tick();
  });
}

}  // namespace cohort
