// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/pulse.hpp"

#include <utility>

namespace cohort {

namespace {
constexpr int beats_per_limit = 5;
}  // namespace

Clock::duration longest_silence(double host_limit_s) { return duration_of(host_limit_s * 0.9); }

Pulse::Pulse(asio::io_context& loop, double host_limit_s, Handler handler)
    : timer_(loop),
      silence_(loop),
      interval_(duration_of(host_limit_s / beats_per_limit)),
      longest_silence_(longest_silence(host_limit_s)),
      handler_(std::move(handler)) {}

void Pulse::start() {
  if (interval_ <= Clock::duration(0)) return;
  listen();
  tick();
}

void Pulse::stop() {
  stopped_ = true;  // the timer may have gone off by now
  timer_.cancel();
  silence_.cancel();
}

void Pulse::pause(bool paused) {
  if (std::exchange(paused_, paused) == paused || stopped_ || interval_ <= Clock::duration(0)) return;
  if (paused) {
    silence_.cancel();
  } else {
    listen();
  }
}

void Pulse::listen() {
  silence_.begin(longest_silence_, [this] {
    stopped_ = true;
    handler_.silent(std::chrono::duration<double>(longest_silence_).count());
  });
}

void Pulse::tick() {
  if (!paused_) handler_.beat();
  timer_.expires_after(interval_);
  timer_.async_wait([this](const asio::error_code& error) {
    if (!error && !stopped_) tick();
  });
}

}  // namespace cohort
