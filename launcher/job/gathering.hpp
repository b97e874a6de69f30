// SPDX-License-Identifier: Apache-2.0
// Collects the table of where each process listens, and the measurement of the network between hosts. The table is sent
// when both are complete. A machine: events in, with their time, and messages out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "launcher/deadline.hpp"
#include "launcher/job/job_hosts.hpp"
#include "launcher/job/job_origin.hpp"
#include "runtime/job.hpp"

namespace cohort {

class Gathering {
 public:
  // `between_hosts`: the cost of a message between hosts, if the user gives it. Otherwise a job on two or more hosts
  // measures it.
  Gathering(int ranks, int hosts, std::optional<Network> between_hosts);

  // Whether to begin the measurement now, once: hosts 0 and 1 are attached. Host 1, the far end, is told first.
  bool take_measurement(const JobHosts& hosts);

  void measured(const std::optional<Network>& network);  // nothing: the measurement failed

  void listens(Pid pid, ProcessAddress address) { addresses_.at(static_cast<std::size_t>(pid)) = std::move(address); }
  const ProcessAddress& address(Pid pid) const { return addresses_.at(static_cast<std::size_t>(pid)); }

  // How the processes talk, for people: "through memory"; empty for a job of one.
  std::string ways() const;

  // All processes have reported where they listen.
  void complete(Attended now);

  std::optional<Deadline> deadline() const { return deadline_; }
  void time_up(Attended now);

  // The table for all processes, once: when all addresses are known and the measurement is over.
  std::optional<process::v1::Table> take_table(const JobHosts& hosts);

 private:
  enum class Measurement : std::uint8_t { none, wanted, begun, over };
  enum class Stage : std::uint8_t { gathering, complete, told };

  std::vector<ProcessAddress> addresses_;  // by pid
  std::optional<Network> between_hosts_;
  Measurement measurement_ = Measurement::none;
  Stage stage_ = Stage::gathering;
  std::optional<Deadline> deadline_;  // of the measurement
};

// The small job of their own in which hosts 0 and 1 measure the network between them.
v1::BeMeasured meeting(const JobOrigin& origin, const JobHosts& hosts);

}  // namespace cohort
