// SPDX-License-Identifier: Apache-2.0
#include "runtime/drive/watcher.hpp"

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "cohort/error.hpp"
#include "runtime/drive/own_thread.hpp"
#include "runtime/inert.hpp"
#include "runtime/runtime.hpp"
#include "runtime/time_source.hpp"

namespace cohort::detail {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds shortest_tick = 50ms;
constexpr Nanoseconds flush_after = 500us;    // waking more often would cost more than it helps
constexpr Nanoseconds greeting_tick = 100ms;  // while a connection has not identified itself

Nanoseconds tick_of(const Runtime& runtime) {
  const Nanoseconds fraction = runtime.job().patience / 8;
  const Nanoseconds longest = runtime.mode().habits.longest_tick;
  return fraction > 0ns ? std::clamp<Nanoseconds>(fraction, std::min<Nanoseconds>(shortest_tick, longest), longest)
                        : longest;
}

int make_timer() {
  const int timer = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0)
    throw Error(ErrorCode::job, std::string("joining the job: no timer can be had: ") + std::strerror(errno));
  return timer;
}

}  // namespace

Alarm::Alarm() : timer_(make_timer()) { close_in_forks(timer_); }

Alarm::~Alarm() { close_own(timer_); }

void Alarm::set(Nanoseconds delay) {
  if (set_.exchange(true)) return;
  const itimerspec once{{}, {delay / 1s, (delay % 1s).count()}};
  ::timerfd_settime(timer_, 0, &once, nullptr);
}

void Alarm::stop() {
  std::uint64_t times = 0;
  [[maybe_unused]] const ssize_t size = ::read(timer_, &times, sizeof times);
  set_ = false;
}

Watcher::Watcher(Runtime& runtime, ControlLink& control)
    : runtime_(runtime),
      control_(control),
      tick_(tick_of(runtime)),
      thread_(start_own_thread("cohort watcher", [this] { watch(); })) {}

Watcher::~Watcher() {
  control_.hush();
  thread_.join();
}

void Watcher::flush_soon() { alarm_.set(flush_after); }

void Watcher::watch() {
  Nanoseconds next = steady_now() + tick_;
  for (bool open = true; open;) {
    const ControlLink::Heard heard =
        control_.listen(std::max<Nanoseconds>(next - steady_now(), 0ns), alarm_.descriptor());
    open = heard.open;
    if (heard.alarm) {
      alarm_.stop();
      runtime_.flush();
    }
    if (open && !heard.news && !heard.question && steady_now() < next) continue;
    next = steady_now() + tick_;
    if (heard.news) runtime_.news();
    if (heard.question) {
      // Reports a mismatch of calls first: otherwise the launcher would report the deadlock that it causes.
      if (runtime_.mode().habits.reports_all) runtime_.tell_mistakes();
      Doing answer = runtime_.doing();
      answer.question = *heard.question;
      control_.tell(answer);
    }
    if (const std::optional<Doing> doing = runtime_.long_wait()) control_.tell(*doing);
    if (runtime_.greet()) next = std::min(next, steady_now() + greeting_tick);
  }
}

}  // namespace cohort::detail
