// SPDX-License-Identifier: Apache-2.0
// For ranks of which one runs at a time.
#pragma once

#include <sched.h>

namespace cohort::testing {

// Threads that this one makes meanwhile stay on its core: to hand over to one on another core takes twice as long.
class OneCore {
 public:
  OneCore() {
    if (::sched_getaffinity(0, sizeof allowed_, &allowed_) != 0) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(::sched_getcpu(), &one);
    bound_ = ::sched_setaffinity(0, sizeof one, &one) == 0;
  }
  ~OneCore() {
    if (bound_) ::sched_setaffinity(0, sizeof allowed_, &allowed_);
  }
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;

 private:
  cpu_set_t allowed_;
  bool bound_ = false;
};

}  // namespace cohort::testing
