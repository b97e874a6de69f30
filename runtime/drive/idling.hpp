// What a process does that waits and finds nothing: it looks again, lets others run, or sleeps.
//
// A message that comes soon is had soonest by looking again and again; to sleep and be woken takes longer, and the
// kernel and both processes work for it. One that takes long is worth no looking. Which it will be, the last waits
// tell.
#pragma once

#include "runtime/drive/own_core.hpp"

namespace cohort {

class Idling {
 public:
  // The cores for the job's processes (0: less than one; then nobody looks again), whether these are more, and this
  // process.
  Idling(int cores, bool crowded, Pid me);

  // Something has happened.
  void moved() {
    if (looks_ > 0) note_wait();
  }

  // Nothing has. Returns whether to look again, now; if not, to sleep.
  bool looks_again();

 private:
  void note_wait();

  const bool crowded_;
  const bool hasty_;            // looking is never worth it
  const Nanoseconds hopeless_;  // when waits are usually longer
  OwnCore own_core_;
  unsigned looks_ = 0;    // of this wait
  bool in_turn_ = false;  // with others, who ran between its looks
  Nanoseconds start_{0};  // of this wait, if it has taken more than a few looks
  Nanoseconds usual_{0};  // length of the last waits, the latest weighing most
};

}  // namespace cohort
