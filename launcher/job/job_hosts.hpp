// SPDX-License-Identifier: Apache-2.0
// The job's hosts: the stage of each, and how many of its processes run. No I/O: messages to the hosts are appended to
// the job's commands.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "launcher/host/machine.hpp"
#include "launcher/job/hosts.hpp"
#include "launcher/job/job_events.hpp"

namespace cohort {

class JobHosts {
 public:
  enum class Stage : std::uint8_t { connecting, attached, started, finished, lost };

  struct State {
    HostPlan plan;
    Machine machine;
    Stage stage = Stage::connecting;
    bool suspended = false;
    int expected = 0;  // processes that the host was told to start; fewer if it could not start all, or is lost
    int started = 0;
    int ended = 0;
  };

  JobHosts(std::vector<HostPlan> plans, const Machine& here, Commands& commands);

  int count() const { return static_cast<int>(hosts_.size()); }
  State& at(int number) { return hosts_.at(static_cast<std::size_t>(number)); }
  const State& at(int number) const { return hosts_.at(static_cast<std::size_t>(number)); }
  std::vector<State>::const_iterator begin() const { return hosts_.begin(); }
  std::vector<State>::const_iterator end() const { return hosts_.end(); }

  bool all_attached() const;  // all remote hosts
  bool all_ended() const;     // the processes of all hosts
  bool all_finished() const;  // all hosts are finished or lost
  std::vector<Machine> machines() const;

  // Drops a message to a host that is still connecting, or lost.
  void tell(int number, v1::ToHost message);
  void tell_all(v1::ToHost message);  // only to hosts that were told to start their processes

  // suspend() begins to count the hosts that have stopped their processes; all_suspended() says whether all have.
  void suspend();
  bool all_suspended() const;

 private:
  std::vector<State> hosts_;
  Commands& commands_;
};

}  // namespace cohort
