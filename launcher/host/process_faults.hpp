// SPDX-License-Identifier: Apache-2.0
// Injected faults of the processes of one host: kills, stops and slows them by signals. The processes need not
// cooperate: they may compute, hang, or be programs without Cohort. A machine: events in, signals out.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "launcher/deadline.hpp"
#include "runtime/faults/planned_fault.hpp"

namespace cohort {

class ProcessFaults {
 public:
  struct Signal {
    Pid pid;
    int number;
  };
  struct Happened {
    Pid pid;
    InjectedFault fault;
  };
  using Actions = std::vector<std::variant<Signal, Happened>>;

  // Adds the faults of processes that run here. A fault with a time begins by itself at that time, counted from now.
  void add(const FaultPlan& plan, const std::function<bool(Pid)>& runs_here, Attended now);

  // A process reports that it begins this fault on itself. The rest is done here, because a stopped process can't wake
  // itself.
  Actions begun_by_itself(std::uint32_t number, Attended now);

  // The process has ended: removes its faults.
  void ended(Pid pid);

  std::optional<Deadline> deadline() const;
  Actions due(Attended now);

 private:
  struct Quiet {};  // nothing to do until the process reports the fault, or for ever
  struct Timed {
    Deadline begin;
  };
  struct Lasting {  // stopped until `end`
    Deadline end;
  };
  struct Slowed {  // stopped and continued in turn
    bool runs;
    Deadline turn;
    std::optional<Deadline> end;
  };
  struct Waking {
    std::chrono::milliseconds pause;
    Deadline again;
  };
  struct Entry {
    PlannedFault fault;
    std::variant<Quiet, Timed, Lasting, Slowed, Waking> state;

    std::optional<Deadline> deadline() const;
    void begin(Attended now, Actions& actions);
    void slow(bool runs, std::optional<Deadline> end, Attended now, Actions& actions);
    void wake(std::chrono::milliseconds pause, Attended now, Actions& actions);
    void due(Attended now, Actions& actions);
  };

  std::vector<Entry> entries_;
};

}  // namespace cohort
