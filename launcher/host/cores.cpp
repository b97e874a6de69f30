// SPDX-License-Identifier: Apache-2.0
#include "launcher/host/cores.hpp"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "launcher/host/cpu_quota.hpp"

namespace cohort {
namespace {

// How many processors this process may run on. The system refuses a set that is too small for the machine.
int allowed_processors() {
  for (int size = 1024; size <= 1 << 20; size *= 2) {
    const auto release = [](cpu_set_t* set) { CPU_FREE(set); };
    const std::unique_ptr<cpu_set_t, decltype(release)> set(CPU_ALLOC(static_cast<std::size_t>(size)), release);
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(size));
    if (::sched_getaffinity(0, bytes, set.get()) == 0) return CPU_COUNT_S(bytes, set.get());
  }
  return 1;
}

}  // namespace

int whole_cores(int processors, double quota) {
  return static_cast<int>(std::floor(std::min<double>(processors, quota) + 1e-9));
}

int usable_cores() { return whole_cores(allowed_processors(), cpu_quota().processors); }

}  // namespace cohort
