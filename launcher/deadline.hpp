// SPDX-License-Identifier: Apache-2.0
// A time limit on other processes, as a value. A machine keeps its deadlines, and the machine's shell sends it TimeUp
// when one has come (AttendedTimer).
//
// Only time in which this process runs counts: a process that was stopped, or got no processor, must not blame others
// for its own silence. At most two steps of the time between two looks count.
#pragma once

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>

namespace cohort {

using Attended = std::chrono::nanoseconds;  // time that has counted so far; only differences have a meaning

struct Deadline {
  Attended at{0};
  Attended step{0};  // between two looks at the clock, if this process runs

  static Deadline after(Attended limit, Attended now) {
    constexpr int steps_per_limit = 10;
    constexpr std::chrono::milliseconds shortest_step(10), longest_step(250);
    return {now + limit, std::clamp<Attended>(limit / steps_per_limit, shortest_step, longest_step)};
  }

  bool passed(Attended now) const { return now >= at; }

  bool operator==(const Deadline&) const = default;
};

// When to wake, and how often to look at the clock, for both deadlines.
inline std::optional<Deadline> earliest(const std::optional<Deadline>& a, const std::optional<Deadline>& b) {
  if (!a || !b) return a ? a : b;
  return Deadline{std::min(a->at, b->at), std::min(a->step, b->step)};
}

// The deadlines of one machine, by name.
template <class Name>
class Deadlines {
 public:
  void begin(Name name, Attended limit, Attended now) { running_[name] = Deadline::after(limit, now); }

  // Returns whether the deadline was running.
  bool cancel(Name name) { return running_.erase(name) > 0; }
  bool running(Name name) const { return running_.contains(name); }

  // A deadline that has passed; each is returned once.
  std::optional<Name> take_passed(Attended now) {
    for (const auto& [name, deadline] : running_) {
      if (!deadline.passed(now)) continue;
      const Name passed = name;
      running_.erase(name);
      return passed;
    }
    return std::nullopt;
  }

  std::optional<Deadline> next() const {
    std::optional<Deadline> next;
    for (const auto& [name, deadline] : running_) next = earliest(next, deadline);
    return next;
  }

 private:
  std::map<Name, Deadline> running_;
};

}  // namespace cohort
