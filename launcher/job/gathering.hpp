// The table of who listens where, which completes a job, and the measurement of the network, which the table waits for.
// A machine: events in, with their time, and messages out.
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
  // `between_hosts`: what a message between hosts costs, if the user says so. Else it is measured where there are two.
  Gathering(int ranks, int hosts, std::optional<Network> between_hosts);

  // The first two hosts measure, once both are there. The far one, host 1, is told this first.
  bool take_measurement(const JobHosts& hosts);

  void measured(const std::optional<Network>& network);  // by both, or it could not be

  void listens(Pid pid, ProcessAddress address) { addresses_.at(static_cast<std::size_t>(pid)) = std::move(address); }
  const ProcessAddress& address(Pid pid) const { return addresses_.at(static_cast<std::size_t>(pid)); }

  // All processes have said where they listen.
  void complete(Attended now);

  std::optional<Deadline> deadline() const { return deadline_; }
  void time_up(Attended now);

  // The table for all processes, once, when nothing is waited for any more.
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

// The job of their own that the first two hosts measure in.
v1::BeMeasured meeting(const JobOrigin& origin, const JobHosts& hosts);

}  // namespace cohort
