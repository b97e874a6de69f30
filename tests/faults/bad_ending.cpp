// SPDX-License-Identifier: Apache-2.0
// Rank 2 is killed, and the others do not catch the error that tells them.
#include <sys/resource.h>

#include <csignal>

#include "cohort/cohort.hpp"

int main() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const cohort::Process self = cohort::join();
  self.all().sync();
  if (self.pid() == 2) ::raise(SIGKILL);
  for (;;) self.all().sync();
}
