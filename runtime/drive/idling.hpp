// SPDX-License-Identifier: Apache-2.0
// Decides whether a waiting process that has found nothing looks again, lets others run, or sleeps.
//
// Looking again and again receives a message that comes soon the fastest. Sleeping and being woken takes longer, and
// costs time in the kernel and in both processes. For a message that takes long, looking is not worth it. The length of
// the last waits predicts the next one.
#pragma once

#include "runtime/drive/own_core.hpp"

namespace cohort {

class Idling {
 public:
  // `cores`: for the job's processes; 0 means less than one, and then no process looks again. `crowded`: the job has
  // more processes than cores here. `me`: this process.
  Idling(int cores, bool crowded, Pid me);

  // Something has happened.
  void moved() {
    if (looks_ > 0) note_wait();
  }

  // How often a call may look for a message before it waits.
  unsigned first_looks() const;
  // Such a call has found its message when it looked again: a short wait.
  void met_soon() { usual_ -= usual_ / 4; }

  // Nothing has happened. Returns true to look again at once, false to sleep.
  bool looks_again();
  // The sleep is over. One that no look began is no part of a wait.
  void slept() {
    if (start_ != Nanoseconds{0}) latest_ = steady_now();
  }
  // Something will happen soon, so this process looks again. That is no waiting.
  void stays();

 private:
  void note_wait();

  const bool crowded_;
  const bool hasty_;            // looking is never worth it
  const Nanoseconds hopeless_;  // if waits are usually longer than this
  OwnCore own_core_;
  unsigned looks_ = 0;  // of this wait
  unsigned stays_ = 0;
  bool in_turn_ = false;   // other processes ran between the looks of this wait
  Nanoseconds start_{0};   // of this wait, if it has taken more than a few looks
  Nanoseconds latest_{0};  // when this wait was known to last: what came then may have taken long to copy
  Nanoseconds usual_{0};   // the average of the last waits, the latest weighing most
};

}  // namespace cohort
