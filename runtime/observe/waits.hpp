// SPDX-License-Identifier: Apache-2.0
// What the threads of a process wait for, and since when, and when one of them was last in this library. No clock: the
// caller passes the time.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/linked_list.hpp"
#include "runtime/observe/wait.hpp"

namespace cohort::detail {

class Waits {
 public:
  void begin(Wait& wait) {
    wait.number = ++begun_;
    list_.add(wait);
  }
  void end(Wait& wait) {
    list_.remove(wait);
    enter();
  }

  // A thread of the program has made a call.
  void enter() { ++entries_; }
  std::uint64_t entries() const { return entries_; }  // calls, and returns from waits

  template <class Visit>
  void for_each(const Visit& visit) const {
    list_.for_each(visit);
  }

  // The only wait; nullptr if there is none, or if there are several.
  Wait* only() const;

  // How long no thread has been in this library. The answer is exact enough if this is called often; so no call has to
  // read a clock.
  Nanoseconds away(Nanoseconds now);

  // Called from time to time: finds long waits to report. In develop mode, a wait that has lasted since the last look
  // is `blocked`: it is reported at once, and again from time to time. In any mode, a wait longer than the patience is
  // `impatient`: it is reported once. A patience of 0 reports none.
  struct Long {
    bool blocked = false;
    bool impatient = false;
  };
  // `threads`: the number of the process's threads, in develop mode.
  Long look(Nanoseconds now, std::optional<std::uint32_t> threads, Nanoseconds patience);

 private:
  LinkedList<Wait> list_;
  std::uint64_t begun_ = 0;
  std::uint64_t last_seen_ = 0;  // the number of waits that had begun at the last look()
  std::uint32_t threads_seen_ = 0;
  std::uint64_t entries_ = 0;
  std::uint64_t entries_seen_ = 0;
  std::optional<Nanoseconds> entries_seen_at_;
};

}  // namespace cohort::detail
