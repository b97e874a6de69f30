// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/simulated/transport_simulation.hpp"
#include "tests/contract/transport_suite.hpp"

namespace cohort {
namespace {

// Ranks in virtual time, with jitter, so that different links overtake one another.
void run_in_simulation(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  TransportSimulation simulation(ranks, {.seed = 7, .jitter = std::chrono::microseconds(500), .adjust = {}});
  simulation.run(rank);
}

INSTANTIATE_TEST_SUITE_P(Simulated, TransportContract, ::testing::Values(World{"simulated", false, run_in_simulation}));

}  // namespace
}  // namespace cohort
