// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "runtime/transport/transport.hpp"

namespace cohort {

// Ranks as threads, over two transports in memory, or over sockets and memory. Throws what one of them throws.
void run_routed_in_memory(int ranks, const std::function<void(Pid me, Transport&)>& rank);
void run_routed_over_both(int ranks, const std::function<void(Pid me, Transport&)>& rank);

}  // namespace cohort
