// SPDX-License-Identifier: Apache-2.0
#include "runtime/drive/own_core.hpp"

#include <sched.h>

#include <algorithm>

namespace cohort {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds quick_yield = 1500ns;  // no other process wanted to run
constexpr int shared_yields = 16;            // nearly in succession: then other processes share the core
constexpr Nanoseconds pause = 10ms;          // between moves, which are in vain where other programs run

}  // namespace

Yield yield_core() {
  const Nanoseconds start = steady_now();
  ::sched_yield();
  const Nanoseconds end = steady_now();
  return {end, end - start > quick_yield};
}

Yield OwnCore::yield() {
  const Yield yield = yield_core();
  shared_ = yield.others_ran ? shared_ + 1 : std::max(0, shared_ - 4);
  if (shared_ < shared_yields || yield.end < next_move_) return yield;
  shared_ = 0;
  next_move_ = yield.end + pause;
  move();
  return yield;
}

// Moves this process to its own core: if all processes choose among their allowed cores in this way, their cores
// differ. The pids of a host are consecutive; so are the pids of hosts on one machine.
void OwnCore::move() const {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  const int cores = CPU_COUNT(&allowed);
  int left = cores > 0 ? me_ % cores : -1;
  for (int core = 0; core < CPU_SETSIZE && left >= 0; ++core) {
    if (!CPU_ISSET(core, &allowed) || left-- > 0) continue;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(core, &own);
    if (::sched_setaffinity(0, sizeof own, &own) == 0) ::sched_setaffinity(0, sizeof allowed, &allowed);
  }
}

}  // namespace cohort
