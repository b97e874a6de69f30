#pragma once

#include <functional>

#include "runtime/transport/transport.hpp"

namespace cohort {

// Ranks as threads, their sockets on the loopback interface. Throws what one of them throws.
void run_over_tcp(int ranks, const std::function<void(Pid me, Transport&)>& rank);

// The same, but each rank is told that the others are on other hosts.
void run_between_hosts(int ranks, const std::function<void(Pid me, Transport&)>& rank);

}  // namespace cohort
