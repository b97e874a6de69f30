#include "launcher/remote/pulse.hpp"

#include <algorithm>
#include <utility>

namespace cohort {

namespace {
constexpr int beats_per_limit = 5;
}  // namespace

Clock::duration longest_silence(double host_limit_s) { return duration_of(host_limit_s * 0.9); }

Pulse::Pulse(asio::io_context& loop, double host_limit_s, Handler handler)
    : timer_(loop),
      interval_(duration_of(host_limit_s / beats_per_limit)),
      longest_silence_(longest_silence(host_limit_s)),
      handler_(std::move(handler)) {}

void Pulse::start() {
  heard();
  ticked_at_ = Clock::now();
  if (interval_ > Clock::duration(0)) tick();
}

void Pulse::stop() {
  stopped_ = true;  // the timer may have gone off by now
  timer_.cancel();
}

void Pulse::pause(bool paused) {
  paused_ = paused;
  heard();
}

void Pulse::tick() {
  const Clock::time_point now = Clock::now();
  // Whoever was stopped, or had no processor, has not listened: the silence is its own.
  if (now - ticked_at_ > 2 * interval_ || paused_) heard();
  ticked_at_ = now;
  if (quiet_for() >= longest_silence_) return handler_.silent(std::chrono::duration<double>(longest_silence_).count());
  if (!paused_) handler_.beat();
  timer_.expires_at(std::min(now + interval_, heard_at_ + longest_silence_));
  timer_.async_wait([this](const asio::error_code& error) {
    if (!error && !stopped_) tick();
  });
}

}  // namespace cohort
