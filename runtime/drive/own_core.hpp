// SPDX-License-Identifier: Apache-2.0
// Gives a spinning process a core of its own, if there are enough cores.
//
// The kernel tends to wake a process on the core of the process that wakes it. In virtual machines it does so more
// often, because a core at rest does not count as idle. Two processes that spin and yield then stay on one core, and a
// message between them takes twice as long. No process is bound: it is moved once, and the kernel may move it again.
#pragma once

#include "cohort/types.hpp"
#include "runtime/time_source.hpp"

namespace cohort {

struct Yield {
  Nanoseconds end{0};       // the time after the yield
  bool others_ran = false;  // on this core, meanwhile
};
Yield yield_core();

class OwnCore {
 public:
  explicit OwnCore(Pid me) : me_(me) {}

  // Yields. If other processes run each time, this process moves to another core.
  Yield yield();

 private:
  void move() const;

  const Pid me_;
  int shared_ = 0;  // recent yields after which another process ran
  Nanoseconds next_move_{0};
};

}  // namespace cohort
