#pragma once

#include <functional>

#include "runtime/transport/transport.hpp"

namespace cohort {

// Ranks as threads, their sockets on the loopback interface. Throws what one of them throws.
void run_over_tcp(int ranks, const std::function<void(Pid me, Transport&)>& rank);

}  // namespace cohort
