// SPDX-License-Identifier: Apache-2.0
// Ranks that share a host's memory.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "runtime/transport/shared/shared_link.hpp"
#include "runtime/transport/shared/shared_transport.hpp"

namespace cohort::testing {

// One for each rank. `processes`: the memory is made for so many, which decides how long its rings are.
inline std::vector<std::unique_ptr<Transport>> make_shared_transports(Pid ranks, Pid processes,
                                                                      const SharedLimits& limits = {}) {
  const auto memory = HostMemory::make(static_cast<std::size_t>(std::max(processes, ranks)));
  Endpoints endpoints;
  endpoints.processes.clear();
  for (Pid pid = 0; pid < ranks; ++pid) {
    ProcessAddress& address = endpoints.processes.emplace_back();
    address.memory = 1;
    address.place = static_cast<std::uint32_t>(pid);
  }
  std::vector<std::unique_ptr<Transport>> transports;
  for (endpoints.me = 0; endpoints.me < ranks; ++endpoints.me)
    transports.push_back(make_shared_transport(endpoints, memory, limits));
  return transports;
}

}  // namespace cohort::testing
