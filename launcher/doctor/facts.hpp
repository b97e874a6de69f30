// SPDX-License-Identifier: Apache-2.0
// What cohort doctor has found out about hosts, and about each two of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collectives/network.hpp"
#include "runtime/job.hpp"

namespace cohort::doctor {

// How far a clock is ahead of this host's: within `error_s` of the truth.
struct ClockOffset {
  double seconds = 0;
  double error_s = 0;
};

struct HostFacts {
  std::string name;
  bool local = false;
  int processes = 1;                   // that the user wants there
  std::vector<std::string> resolved;   // the name's addresses here
  std::string unresolved;              // the resolver's error, or empty
  std::string trouble;                 // why nothing is known of the host, or no longer; else empty
  double shell_s = 0;                  // until its agent had called back
  std::string address;                 // where its processes listen
  std::vector<std::string> addresses;  // of all its interfaces
  std::string boot;                    // hosts on one machine have the same
  std::string program;                 // the path of cohort there
  int cores = 0;
  int free_ports = -1;  // of the range; -1: there is no range
  std::optional<ClockOffset> clock;

  bool is_well() const { return trouble.empty(); }
};

// Numbers of hosts. One connects to the other, and they exchange messages.
struct PairFacts {
  int from = 0, to = 0;
  std::optional<Network> network;
  std::string trouble;   // why there is none
  bool is_busy = false;  // that is why: the connection itself is well
};

struct Facts {
  std::string program;       // the path of cohort here
  std::string remote_shell;  // its first word
  PortRange ports;
  std::vector<HostFacts> hosts;
  std::vector<PairFacts> pairs;
};

// Seconds until a short message is there, and bytes a second.
inline double latency_of(const Network& network) { return network.alpha + network.latency; }
inline double bandwidth_of(const Network& network) { return 1 / network.beta; }

}  // namespace cohort::doctor
