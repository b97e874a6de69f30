// SPDX-License-Identifier: Apache-2.0
// Rank 2 is killed, and rank 0 leaves because of that, and works on. Rank 1 still waits for it in a group of the two.
#include <unistd.h>

#include <csignal>

#include "cohort/cohort.hpp"

namespace {

// Whose process this was.
cohort::Pid take_part() {
  const cohort::Process self = cohort::join();
  const cohort::Group all = self.all();
  const cohort::Group pairs = all.partition(self.pid() / 2);
  pairs.sync();
  all.sync();
  if (self.pid() == 2) ::raise(SIGKILL);
  if (self.pid() == 1) pairs.receive<int>(0);
  try {
    for (;;) all.sync();
  } catch (const cohort::Error&) {
  }
  return self.pid();
}

}  // namespace

int main() {
  if (take_part() == 0) ::pause();
}
