// What the threads of a process wait for, and since when; and when one of them was last in this library. No clock:
// whoever looks brings the time.
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

  // A thread of the program has called.
  void enter() { ++entries_; }
  std::uint64_t entries() const { return entries_; }  // calls, and returns from waits

  template <class Visit>
  void for_each(const Visit& visit) const {
    list_.for_each(visit);
  }

  // nullptr where there are none, or several.
  Wait* only() const;

  // How long no thread has been in this library: whoever looks often enough knows, and no call has to read a clock.
  Nanoseconds away(Nanoseconds now);

  // A look from time to time. Of waits that are no short ones, some are to be told of: in develop mode one that has
  // lasted since the last look, at once and again from time to time; anywhere, once, one that lasts longer than a
  // patience (0: any may).
  struct Long {
    bool blocked = false;
    bool impatient = false;
  };
  // `threads`: those of the process, in develop mode.
  Long look(Nanoseconds now, std::optional<std::uint32_t> threads, Nanoseconds patience);

 private:
  LinkedList<Wait> list_;
  std::uint64_t begun_ = 0;
  std::uint64_t last_seen_ = 0;  // of those that have begun, by look()
  std::uint32_t threads_seen_ = 0;
  std::uint64_t entries_ = 0;
  std::uint64_t entries_seen_ = 0;
  std::optional<Nanoseconds> entries_seen_at_;
};

}  // namespace cohort::detail
