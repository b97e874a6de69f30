// SPDX-License-Identifier: Apache-2.0
// Links that are late, now and then: on top of each transport, the wrapper keeps the contract.
#include "runtime/faults/faulty_transport.hpp"
#include "runtime/transport/memory/memory_transport.hpp"
#include "runtime/transport/simulated/transport_simulation.hpp"
#include "tests/contract/routed_world.hpp"
#include "tests/contract/tcp_world.hpp"
#include "tests/contract/transport_suite.hpp"
#include "tests/support/borrowed.hpp"
#include "tests/support/shared_memory.hpp"
#include "tests/support/threads.hpp"

namespace cohort {
namespace {

std::unique_ptr<Transport> make_late(std::unique_ptr<Transport> transport, Pid me, int ranks) {
  auto faulty = std::make_unique<FaultyTransport>(std::move(transport), ranks,
                                                  Injection(
                                                      me, [](const PlannedFault&) {}, [](const InjectedFault&) {}));
  PlannedFault delay;
  delay.kind = FaultKind::delay;
  delay.amount = 0.0002;
  delay.trigger = FaultTrigger::chance;
  delay.rate = 0.01;
  faulty->add(delay, 1);
  PlannedFault hole = delay;
  hole.kind = FaultKind::black_hole;
  hole.for_s = 0.001;
  hole.rate = 0.001;
  faulty->add(hole, 1);
  return faulty;
}

void run_late(std::vector<std::unique_ptr<Transport>> transports, const std::function<void(Pid me, Transport&)>& rank) {
  const auto ranks = static_cast<Pid>(transports.size());
  cohort::testing::run_in_threads(
      ranks, [&](Pid me) { rank(me, *make_late(std::move(transports[static_cast<std::size_t>(me)]), me, ranks)); });
}

void late_in_memory(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  run_late(make_memory_transports(ranks), rank);
}

void late_in_shared_memory(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  run_late(cohort::testing::make_shared_transports(ranks, ranks), rank);
}

void late_in_simulation(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  TransportSimulation simulation(ranks, {.seed = 7, .adjust = {}});
  simulation.run([&](Pid me, Transport& transport) {
    rank(me, *make_late(std::make_unique<cohort::testing::Borrowed>(transport), me, ranks));
  });
}

void late_over_tcp(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  run_over_tcp(ranks, [&](Pid me, Transport& transport) {
    rank(me, *make_late(std::make_unique<cohort::testing::Borrowed>(transport), me, ranks));
  });
}

void late_routed(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  run_routed_in_memory(ranks, [&](Pid me, Transport& transport) {
    rank(me, *make_late(std::make_unique<cohort::testing::Borrowed>(transport), me, ranks));
  });
}

INSTANTIATE_TEST_SUITE_P(FaultyRouted, TransportContract, ::testing::Values(World{"routed", true, late_routed, true}));
INSTANTIATE_TEST_SUITE_P(FaultyMemory, TransportContract,
                         ::testing::Values(World{"memory", true, late_in_memory, true}));
INSTANTIATE_TEST_SUITE_P(FaultyShared, TransportContract,
                         ::testing::Values(World{"shared", true, late_in_shared_memory, true}));
INSTANTIATE_TEST_SUITE_P(FaultyTcp, TransportContract, ::testing::Values(World{"tcp", true, late_over_tcp, true}));
INSTANTIATE_TEST_SUITE_P(FaultySimulated, TransportContract,
                         ::testing::Values(World{"simulated", false, late_in_simulation, true}));

}  // namespace
}  // namespace cohort
