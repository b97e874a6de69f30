// SPDX-License-Identifier: Apache-2.0
#include "runtime/observe/waits.hpp"

#include <algorithm>
#include <utility>

namespace cohort::detail {
namespace {

using namespace std::chrono_literals;

// A wait is reported at once, and again whenever it has lasted twice as long: when the launcher asked the first time,
// one of the waiting processes may have been stopped, or a message in flight.
bool is_to_be_told(const Wait& wait, Nanoseconds now) {
  if (wait.told_blocked == 0ns) return true;
  const Nanoseconds lasted = wait.told_blocked - wait.since;
  return now - wait.told_blocked >= std::clamp<Nanoseconds>(lasted, 100ms, 30s);
}

}  // namespace

Wait* Waits::only() const {
  Wait* const first = list_.first();
  return first != nullptr && first->later == nullptr ? first : nullptr;
}

Nanoseconds Waits::away(Nanoseconds now) {
  if (!entries_seen_at_ || entries_ != entries_seen_) {
    entries_seen_ = entries_;
    entries_seen_at_ = now;
  }
  return now - *entries_seen_at_;
}

Waits::Long Waits::look(Nanoseconds now, std::optional<std::uint32_t> threads, Nanoseconds patience) {
  away(now);
  // After a thread has ended, the remaining threads may all wait for ever.
  const bool fewer = threads && std::exchange(threads_seen_, *threads) > *threads;
  Long found;
  for_each([&](Wait& wait) {
    if (wait.over()) return;
    if (threads && wait.number <= last_seen_ && (fewer || is_to_be_told(wait, now))) {
      found.blocked = true;
      wait.told_blocked = now;
    }
    if (patience > 0ns && wait.since > 0ns && now - wait.since >= patience &&
        !std::exchange(wait.told_impatient, true)) {
      found.impatient = true;
    }
  });
  last_seen_ = begun_;
  return found;
}

}  // namespace cohort::detail
