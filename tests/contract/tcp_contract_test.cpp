// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/tcp_world.hpp"
#include "tests/contract/transport_suite.hpp"

namespace cohort {
namespace {

INSTANTIATE_TEST_SUITE_P(Tcp, TransportContract, ::testing::Values(World{"tcp", true, run_over_tcp}));

INSTANTIATE_TEST_SUITE_P(TcpBetweenHosts, TransportContract,
                         ::testing::Values(World{"tcp_hosts", true, run_between_hosts}));

// The players poll until nothing happens before they wait: nobody else has to let leave what was held back.
void run_in_bursts(int ranks, const std::function<void(Pid me, Transport&)>& rank) {
  run_over_tcp(ranks, [&](Pid me, Transport& transport) {
    transport.batching()->hold_back([] {});
    rank(me, transport);
  });
}

INSTANTIATE_TEST_SUITE_P(TcpInBursts, TransportContract, ::testing::Values(World{"tcp_bursts", true, run_in_bursts}));

}  // namespace
}  // namespace cohort
