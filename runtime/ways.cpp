// SPDX-License-Identifier: Apache-2.0
#include "runtime/ways.hpp"

#include <string>
#include <system_error>
#include <utility>

#include "cohort/error.hpp"
#include "runtime/transport/routed/routed_transport.hpp"
#include "runtime/transport/shared/shared_transport.hpp"

namespace cohort {

std::shared_ptr<HostMemory> memory_from(ControlLink& control, std::string& failure) {
  ControlLink::Offer offer = control.take_memory();
  failure = std::move(offer.failure);
  if (!offer.descriptors.empty()) {
    try {
      return HostMemory::adopt(std::move(offer.descriptors), offer.places);
    } catch (const std::system_error& error) {
      failure = error.what();
    }
  }
  if (control.wants_memory()) {
    throw Error(ErrorCode::job, "--transport shared: the processes of this host can't share memory: " + failure);
  }
  return nullptr;
}

std::unique_ptr<Transport> make_ways(const Job& job, TcpListener listener, std::shared_ptr<HostMemory> memory) {
  constexpr std::size_t by_memory = 0, by_tcp = 1;
  std::vector<std::size_t> route;
  bool some_by_memory = false, some_by_tcp = false;
  for (Pid pid = 0; pid < job.ranks(); ++pid) {
    const bool shares = job.shares_memory(pid);
    route.push_back(shares ? by_memory : by_tcp);
    if (pid == job.me) continue;
    some_by_memory |= shares;
    some_by_tcp |= !shares;
  }
  std::vector<std::unique_ptr<Transport>> ways;
  if (some_by_memory) {
    const SharedLimits limits = measured_limits(job.crowded, memory->ring_size());
    ways.push_back(make_shared_transport(job, std::move(memory), limits));
  }
  if (some_by_tcp || !some_by_memory) {
    ways.push_back(make_tcp_transport(job, std::move(listener), {.silence = job.silence_limit()}));
  }
  if (ways.size() == 1) return std::move(ways.front());
  return make_routed_transport(std::move(ways), std::move(route));
}

}  // namespace cohort
