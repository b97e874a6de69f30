// What a user's faults do to the processes of one host: some are killed, stopped or slowed by signals. It needs nothing
// from the processes: they may compute, hang, or not be of Cohort at all. A machine: events in, signals out.
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

  // The faults of processes that run here, from now on. A fault with a time begins by itself then.
  void add(const FaultPlan& plan, const std::function<bool(Pid)>& runs_here, Attended now);

  // A process says that it strikes itself with this fault. What follows is done from here: a stopped process can't wake
  // itself.
  Actions begun_by_itself(std::uint32_t number, Attended now);

  // Nothing is done to a process that has ended.
  void ended(Pid pid);

  std::optional<Deadline> deadline() const;
  Actions due(Attended now);

 private:
  struct Quiet {};  // nothing is to be done, for now or for ever
  struct Timed {
    Deadline begin;
  };
  struct Lasting {  // killed or stopped
    Deadline end;
  };
  struct Slowed {  // it is stopped and runs, in turn
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
