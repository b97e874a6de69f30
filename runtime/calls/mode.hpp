// SPDX-License-Identifier: Apache-2.0
// What a job's mode does with the program's calls. Run mode has them made as they are (run_mode.hpp); develop mode
// checks them (runtime/develop/develop_mode.hpp).
#pragma once

#include <memory>
#include <string>

#include "cohort/detail/call.hpp"
#include "runtime/failures/fault.hpp"
#include "runtime/time_source.hpp"

namespace cohort::detail {

class Pending;
struct PlannedCall;

// All functions need the runtime's mutex, except leave().
class Mode {
 public:
  struct Habits {
    // The members of a group agree on each call before it begins, and on leaving the job. So calls in progress need not
    // be compared, and no call is over without an operation.
    bool agrees = false;
    // A report on this process says also what the launcher needs to find a deadlock: threads, groups and traffic.
    bool reports_all = false;
    Nanoseconds look_interval;  // a waiting process looks for mistakes this often
    Nanoseconds longest_tick;   // the watcher looks for long waits this often, or more often
  };

  explicit Mode(const Habits& habits) : habits(habits) {}
  virtual ~Mode() = default;
  Mode(const Mode&) = delete;

  const Habits habits;

  // Makes the operation for a call that is about to begin. Throws Error if the call is wrong by itself: another
  // operation uses its memory, or the replayed record does not have the call.
  virtual std::shared_ptr<Pending> collective(const std::shared_ptr<GroupState>& group, const PlannedCall& call) = 0;
  virtual std::shared_ptr<Pending> messages(const std::shared_ptr<GroupState>& group, const Letter* out,
                                            const Letter* in) = 0;

  // sets_up(): this process calls group(), which begins to set up a group. told_of_list(): another process reports that
  // it has called group() with this list; without words, that it waits there for this process.
  virtual void sets_up(GroupState&, const Where&) {}
  virtual void told_of_list(Pid, const GroupId&, std::string) {}

  // Called when nothing has happened for a while and the process waits for this operation only.
  virtual void look(const Pending&) {}

  // For a report on such a process: the two lists, if it waits in a group that another member has made with another
  // list.
  virtual std::string differing_lists(const Pending&) const { return {}; }

  virtual void failed(const GroupState&, const FaultPointer&) {}

  // The program gives up the group's last handle.
  virtual void let_go(GroupState&) {}

  // The process is about to leave: waits until all processes are, and notes what is left over. Throws Error.
  virtual void leave(const std::shared_ptr<GroupState>&, const Where&) {}
};

}  // namespace cohort::detail
