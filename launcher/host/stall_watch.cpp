// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/stall_watch.hpp"

#include <utility>

namespace cohort {

namespace {
constexpr double short_stop_s = 1;  // a shorter stop is not reported
}

std::optional<StallWatch::Stall> StallWatch::look(Pid pid, bool stopped, std::string turns, Attended now) {
  if (!stopped) {
    stopped_.erase(pid);
    return std::nullopt;
  }
  Stopped& stop = stopped_.try_emplace(pid, Stopped{now, turns}).first->second;
  // If the process has run between two looks and was stopped again, the stall begins anew: the process is only slow.
  if (turns != stop.turns) stop.since = now;
  stop.turns = std::move(turns);
  const double seconds = std::chrono::duration<double>(now - stop.since).count();
  const bool too_long = limit_s_ > 0 && seconds >= limit_s_;
  if (!too_long && (seconds < short_stop_s || std::exchange(stop.told, true))) return std::nullopt;
  return Stall{seconds, too_long};
}

std::optional<Attended> StallWatch::next_due(Attended now) const {
  std::optional<Attended> next;
  if (limit_s_ <= 0) return next;
  const auto limit = std::chrono::ceil<Attended>(std::chrono::duration<double>(limit_s_));
  for (const auto& [pid, stop] : stopped_) {
    const Attended due = stop.since + limit;
    if (due > now && (!next || due < *next)) next = due;
  }
  return next;
}

}  // namespace cohort
