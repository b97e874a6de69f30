#include "runtime/watcher.hpp"

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "cohort/error.hpp"
#include "runtime/own_core.hpp"
#include "runtime/own_thread.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds develop_tick = 50ms;  // a wait that is seen twice is no short one
constexpr Nanoseconds flush_after = 500us;  // to be woken more often would cost more than it helps
constexpr Nanoseconds longest_tick = 1s;    // how exactly it is known when the program was last in the library

Nanoseconds tick_of(const Job& job) {
  if (job.develop) return develop_tick;
  const Nanoseconds fraction = job.patience / 8;
  return fraction > 0ns ? std::clamp<Nanoseconds>(fraction, develop_tick, longest_tick) : longest_tick;
}

int make_timer() {
  const int timer = ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
  if (timer < 0)
    throw Error(ErrorCode::job, std::string("joining the job: no timer can be had: ") + std::strerror(errno));
  return timer;
}

}  // namespace

Watcher::Watcher(Runtime& runtime, ControlLink& control)
    : runtime_(runtime),
      control_(control),
      tick_(tick_of(runtime.job())),
      alarm_(make_timer()),
      thread_(start_own_thread("cohort watcher", [this] { watch(); })) {}

Watcher::~Watcher() {
  control_.hush();
  thread_.join();
  ::close(alarm_);
}

void Watcher::flush_soon() {
  if (alarm_set_.exchange(true)) return;
  const itimerspec once{{}, {0, flush_after.count()}};
  ::timerfd_settime(alarm_, 0, &once, nullptr);
}

void Watcher::watch() {
  Nanoseconds next = steady_now() + tick_;
  for (bool open = true; open;) {
    const ControlLink::Heard heard = control_.listen(std::max<Nanoseconds>(next - steady_now(), 0ns), alarm_);
    open = heard.open;
    if (heard.alarm) {
      std::uint64_t times = 0;
      [[maybe_unused]] const ssize_t size = ::read(alarm_, &times, sizeof times);
      alarm_set_ = false;
      runtime_.flush();
    }
    if (open && !heard.news && !heard.question && steady_now() < next) continue;
    next = steady_now() + tick_;
    if (heard.news) runtime_.news();
    if (heard.question) {
      // Calls that differ are told as such, and not as the deadlock that they are, too.
      if (runtime_.job().develop) runtime_.tell_mistakes();
      Doing answer = runtime_.doing();
      answer.question = *heard.question;
      control_.tell(answer);
    }
    if (const std::optional<Doing> doing = runtime_.long_wait()) control_.tell(*doing);
  }
}

}  // namespace cohort::detail
