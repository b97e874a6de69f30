// SPDX-License-Identifier: Apache-2.0
// Keeps signals away from the runtime's own threads: the program's threads take them.
#pragma once

#include <pthread.h>

#include <csignal>

namespace cohort {

// While this object lives, the calling thread takes no signals. The threads that it starts meanwhile never do.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace cohort
