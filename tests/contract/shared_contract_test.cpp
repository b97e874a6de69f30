// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/shared/shared_transport.hpp"
#include "tests/contract/tcp_world.hpp"
#include "tests/contract/transport_suite.hpp"

namespace cohort {
namespace {

// Ranks as threads. `processes`: the memory is made for so many, which decides how long its rings are.
auto run_in_shared_memory(std::size_t processes, SharedLimits limits) {
  return [=](int ranks, const std::function<void(Pid me, Transport&)>& rank) {
    const auto memory = HostMemory::make(std::max(processes, static_cast<std::size_t>(ranks)));
    Endpoints endpoints;
    endpoints.processes.clear();
    for (int pid = 0; pid < ranks; ++pid) {
      ProcessAddress& address = endpoints.processes.emplace_back();
      address.memory = 1;
      address.place = static_cast<std::uint32_t>(pid);
    }
    std::vector<std::unique_ptr<Transport>> transports;
    for (endpoints.me = 0; endpoints.me < ranks; ++endpoints.me) {
      transports.push_back(make_shared_transport(endpoints, memory, limits));
    }
    run_each(std::move(transports), rank);
  };
}

constexpr SharedLimits always_direct{.direct_from = 1};

INSTANTIATE_TEST_SUITE_P(Shared, TransportContract,
                         ::testing::Values(World{"shared", true, run_in_shared_memory(2, {})},
                                           World{"in_turn", true, run_in_shared_memory(2, limits_in_turn)},
                                           World{"short_rings", true, run_in_shared_memory(64, {})},
                                           World{"direct", true, run_in_shared_memory(2, always_direct)}));

}  // namespace
}  // namespace cohort
