// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/memory/memory_transport.hpp"
#include "tests/contract/tcp_world.hpp"
#include "tests/contract/transport_suite.hpp"

namespace cohort {
namespace {

// Ranks as threads that copy frames to one another.
void run_in_memory(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  run_each(make_memory_transports(ranks), rank);
}

INSTANTIATE_TEST_SUITE_P(Memory, TransportContract, ::testing::Values(World{"memory", true, run_in_memory}));

}  // namespace
}  // namespace cohort
