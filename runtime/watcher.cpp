#include "runtime/watcher.hpp"

#include <algorithm>

#include "runtime/own_thread.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds develop_tick = 50ms;  // a wait that is seen twice is no short one
constexpr Nanoseconds longest_tick = 1s;    // how exactly it is known when the program was last in the library

Nanoseconds tick_of(const Job& job) {
  if (job.develop) return develop_tick;
  const Nanoseconds fraction = job.patience / 8;
  return fraction > 0ns ? std::clamp<Nanoseconds>(fraction, develop_tick, longest_tick) : longest_tick;
}

}  // namespace

Watcher::Watcher(Runtime& runtime, ControlLink& control)
    : runtime_(runtime),
      control_(control),
      tick_(tick_of(runtime.job())),
      thread_(start_own_thread("cohort watcher", [this] { watch(); })) {}

Watcher::~Watcher() {
  control_.hush();
  thread_.join();
}

void Watcher::watch() {
  for (bool open = true; open;) {
    const ControlLink::Heard heard = control_.listen(tick_);
    open = heard.open;
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
