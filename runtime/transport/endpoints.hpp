// SPDX-License-Identifier: Apache-2.0
// The facts that a transport is told: the processes, and where they listen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cohort/types.hpp"
#include "runtime/secret.hpp"

namespace cohort {

// A process's address and identity.
struct ProcessAddress {
  std::string host;  // the name by which the user knows the host
  std::string ip;    // numeric, v4 or v6
  std::uint16_t port = 0;
  std::uint64_t incarnation = 0;  // a random number per process
  std::uint32_t memory = 0;       // processes with the same number share memory; 0: with nobody
  std::uint32_t place = 0;        // in that memory
  Rank host_number = 0;           // the same at every process, by Endpoints::number_hosts()
};

// Uses the first port of these that is free; 0: any port.
struct PortRange {
  std::uint16_t first = 0, last = 0;
};

// Where a process may listen.
struct ListenAt {
  std::string ip;  // numeric, of this host
  PortRange ports{};
};

struct Endpoints {
  std::uint64_t id = 0;  // of the job
  Secret secret{};       // of the job
  Pid me = 0;
  std::vector<ProcessAddress> processes{1};  // by pid

  void number_hosts();  // in the order of the pids

  Pid ranks() const { return static_cast<Pid>(processes.size()); }
  const ProcessAddress& address(Pid pid) const { return processes[static_cast<std::size_t>(pid)]; }
  bool shares_host(Pid pid) const { return address(pid).host == address(me).host; }
  bool shares_memory(Pid pid) const { return address(me).memory != 0 && address(pid).memory == address(me).memory; }
};

}  // namespace cohort
