// SPDX-License-Identifier: Apache-2.0
// The other hosts of a job. Starts an agent on each through the remote shell, and serves the agents' streams over gRPC.
// A job on the local machine only does not use this.
#pragma once

#include <asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "launcher/host/host.hpp"
#include "launcher/host/warden.hpp"
#include "launcher/loop/reaper.hpp"
#include "runtime/job.hpp"

namespace cohort {

struct RemoteHostName {
  int number;
  std::string name;
};

struct RemoteSettings {
  std::uint64_t job;                      // its number
  std::vector<std::string> remote_shell;  // words: RSH in "RSH HOST COMMAND"
  int shells_at_once;                     // how many may be starting: their agents have not attached yet
  std::string interface;                  // --interface, or empty
  double host_limit_s;                    // --host-limit; 0: no limit
  PortRange ports;                        // where processes and agents may listen, on all hosts
  std::vector<RemoteHostName> hosts;
};

class RemoteHosts {
 public:
  // Starts the agents. Within 30 s of its turn to start, each host attaches, or is reported as lost. Throws UsageError
  // if there is no such interface, Error(job) if the launcher can listen on no address.
  static std::unique_ptr<RemoteHosts> start(asio::io_context& loop, Reaper& reaper, Warden& warden,
                                            HostListener& events, RemoteSettings settings);
  virtual ~RemoteHosts() = default;

  virtual Host& host(int number) = 0;

  // This host's own address, as the other hosts reach it. Known when the first host has attached.
  virtual std::string own_address() const = 0;

  // Ends the agents. Kills the remote shells that remain after 2 s, and waits for at most 4 s in all.
  virtual void close(std::function<void()> closed) = 0;
};

}  // namespace cohort
