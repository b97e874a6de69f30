// The ways from this process to the others of its job: memory within a host, TCP between hosts.
#pragma once

#include <memory>

#include "runtime/control/control_link.hpp"
#include "runtime/job.hpp"
#include "runtime/transport/shared/host_memory.hpp"
#include "runtime/transport/tcp/tcp_transport.hpp"

namespace cohort {

// The memory that the agent offers to this process; null if there is none. Throws Error(job) if the user asks for it
// and it can't be had.
std::shared_ptr<HostMemory> memory_from(ControlLink& control);

// A transport that takes each process by its way.
std::unique_ptr<Transport> make_ways(const Job& job, TcpListener listener, std::shared_ptr<HostMemory> memory);

}  // namespace cohort
