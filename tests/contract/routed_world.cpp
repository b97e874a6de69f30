// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/routed_world.hpp"

#include "runtime/transport/memory/memory_transport.hpp"
#include "tests/contract/tcp_world.hpp"
#include "tests/support/route_half.hpp"

namespace cohort {

void run_routed_in_memory(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  run_each(testing::route_half(make_memory_transports(ranks), make_memory_transports(ranks)), rank);
}

void run_routed_over_both(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  run_each(testing::route_half(make_memory_transports(ranks), make_tcp_transports(ranks)), rank);
}

}  // namespace cohort
