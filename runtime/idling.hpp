// What a process does that waits and finds nothing: it looks again, lets others run, or sleeps.
//
// A message that comes soon is had soonest by looking again and again; to sleep and be woken takes longer, and the
// kernel and both processes work for it. One that takes long is worth no looking. Which it will be, the last waits
// tell.
#pragma once

#include "runtime/own_core.hpp"

namespace cohort {

class Idling {
 public:
  // The job's processes on this host, the cores for them (0: less than one; then nobody looks again), and this
  // process.
  Idling(int processes, int cores, Pid me);

  // Something has happened.
  void moved() {
    if (looks_ > 0) note_wait();
  }

  // Nothing has. Returns whether to look again, now; if not, to sleep.
  bool looks_again();

 private:
  void note_wait();

  const bool crowded_;          // more processes than cores
  const Nanoseconds worth_;     // looking, for so long
  const Nanoseconds hopeless_;  // when waits are usually longer
  OwnCore own_core_;
  unsigned looks_ = 0;    // of this wait
  Nanoseconds start_{0};  // of this wait, if it has taken more than a few looks
  Nanoseconds usual_{0};  // length of the last waits, the latest weighing most
};

}  // namespace cohort
