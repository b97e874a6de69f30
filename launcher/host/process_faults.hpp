// What the agent of a host does to its processes where a user has asked for it: kills, stops and slows them by signals.
// It needs nothing from them: they may compute, hang, or not be of Cohort at all.
#pragma once

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <list>

#include "runtime/faults/planned_fault.hpp"

namespace cohort {

class ProcessFaults {
 public:
  struct Handler {
    std::function<bool(Pid pid)> runs;                // a process of this host, which has not ended
    std::function<void(Pid pid, int number)> signal;  // to one of this host
    std::function<void(Pid pid, const InjectedFault& happened)> happened;
  };

  ProcessFaults(asio::io_context& loop, Handler handler);

  // From now on. Those that nothing but time triggers begin by themselves.
  void add(const FaultPlan& plan);

  // A process says that it strikes itself with this fault: what follows of it is done here.
  void begun_by_itself(std::uint32_t number);

 private:
  struct Entry {
    PlannedFault fault;
    asio::steady_timer timer;
    asio::steady_timer end;
    bool over = false;
  };

  void begin(Entry& entry);
  void slow(Entry& entry, bool runs);
  void wake(Entry& entry, std::chrono::milliseconds pause);

  asio::io_context& loop_;
  const Handler handler_;
  std::list<Entry> entries_;
};

}  // namespace cohort
