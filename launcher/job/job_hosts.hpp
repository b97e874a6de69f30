// The job's hosts: how far each has come, and how many of its processes run. No I/O: what they are told is put behind
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
    int expected = 0;  // processes that it has been told to start, or could
    int started = 0;
    int ended = 0;
  };

  JobHosts(std::vector<HostPlan> plans, const Machine& here, Commands& commands);

  int count() const { return static_cast<int>(hosts_.size()); }
  State& at(int number) { return hosts_.at(static_cast<std::size_t>(number)); }
  const State& at(int number) const { return hosts_.at(static_cast<std::size_t>(number)); }
  std::vector<State>::const_iterator begin() const { return hosts_.begin(); }
  std::vector<State>::const_iterator end() const { return hosts_.end(); }

  bool all_attached() const;  // those that have to
  bool all_ended() const;     // their processes
  bool all_finished() const;  // or lost
  std::vector<Machine> machines() const;

  // Goes to one that can be told anything, or nowhere.
  void tell(int number, v1::ToHost message);
  void tell_all(v1::ToHost message);  // those that have been told to start

  // The processes of all are to be stopped; then whether all have stopped theirs.
  void suspend();
  bool all_suspended() const;

 private:
  std::vector<State> hosts_;
  Commands& commands_;
};

}  // namespace cohort
