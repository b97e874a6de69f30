// SPDX-License-Identifier: Apache-2.0
// The ways from this process to the others of its job: memory within a host, TCP between hosts.
#pragma once

#include <memory>
#include <string>

#include "runtime/control/control_link.hpp"
#include "runtime/job.hpp"
#include "runtime/transport/shared/host_memory.hpp"
#include "runtime/transport/tcp/tcp_transport.hpp"

namespace cohort {

// The memory that the agent offers to this process. Null if there is none; `failure` says why, if there should be some.
// Throws Error(job) if the user wants nothing else.
std::shared_ptr<HostMemory> memory_from(ControlLink& control, std::string& failure);

// A transport that takes each process by its way.
std::unique_ptr<Transport> make_ways(const Job& job, TcpListener listener, std::shared_ptr<HostMemory> memory);

}  // namespace cohort
