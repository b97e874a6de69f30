// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "runtime/transport/transport.hpp"

namespace cohort {

// One for each rank, their sockets on the loopback interface.
std::vector<std::unique_ptr<Transport>> make_tcp_transports(int ranks);

// Calls the function for each rank, in a thread of its own. Throws what one of them throws.
void run_each(std::vector<std::unique_ptr<Transport>> transports, const std::function<void(Pid me, Transport&)>& rank);

// Ranks as threads, their sockets on the loopback interface. Throws what one of them throws.
void run_over_tcp(int ranks, const std::function<void(Pid me, Transport&)>& rank);

// The same, but each rank is told that the others are on other hosts.
void run_between_hosts(int ranks, const std::function<void(Pid me, Transport&)>& rank);

}  // namespace cohort
