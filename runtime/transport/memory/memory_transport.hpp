// SPDX-License-Identifier: Apache-2.0
// Processes as threads of one program: frames are copied from inbox to inbox.
#pragma once

#include <memory>
#include <vector>

#include "runtime/transport/transport.hpp"

namespace cohort {

// One transport for each rank, connected with one another.
std::vector<std::unique_ptr<Transport>> make_memory_transports(Pid ranks, TimeSource time = steady_now);

}  // namespace cohort
