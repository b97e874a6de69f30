#include "runtime/drive/own_core.hpp"

#include <sched.h>

#include <algorithm>

namespace cohort {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds quick_yield = 1500ns;  // nobody else wanted to run
constexpr int shared_yields = 16;            // in a row, but for a few: then the core is not ours
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

// To the core that is this process's own if all processes do the same, among those that it may use. The pids of a host
// follow each other; so do those of hosts that are one machine.
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
