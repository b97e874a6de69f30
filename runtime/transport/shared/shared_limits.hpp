// SPDX-License-Identifier: Apache-2.0
// Two ways lead from one process's memory to another's: two copies through a ring, or one by the kernel.
#pragma once

#include <cstddef>
#include <limits>

namespace cohort {

// Payloads of at least `direct_from` bytes are read from the sender's memory, if the system allows it.
struct SharedLimits {
  std::size_t direct_from = std::numeric_limits<std::size_t>::max();
  bool in_turn = false;  // the processes have less than a core each: a sender leaves it to those that read from it
};

// The limits that suit this machine, measured by copies within this process. Takes about 70 microseconds.
// `ring_size`: bytes of a ring.
SharedLimits measured_limits(bool in_turn, std::size_t ring_size);

}  // namespace cohort
