// SPDX-License-Identifier: Apache-2.0
// The checks that develop mode adds to calls. In run mode there is no such object.
#pragma once

#include <memory>
#include <string>

#include "cohort/detail/call.hpp"
#include "runtime/failures/fault.hpp"

namespace cohort::detail {

class Pending;
struct PlannedCall;

// All functions need the runtime's mutex, except leave().
class Checks {
 public:
  virtual ~Checks() = default;

  // Makes the operation for a call that is about to begin. Throws Error if the call is wrong by itself: another
  // operation uses its memory, or the replayed record does not have the call.
  virtual std::shared_ptr<Pending> collective(const std::shared_ptr<GroupState>& group, const PlannedCall& call) = 0;
  virtual std::shared_ptr<Pending> messages(const std::shared_ptr<GroupState>& group, const Letter* out,
                                            const Letter* in) = 0;

  // sets_up(): this process calls group(), which begins to set up a group. told_of_list(): another process reports that
  // it has called group() with this list; without words, that it waits there for this process.
  virtual void sets_up(GroupState& group, const Where& where) = 0;
  virtual void told_of_list(Pid from, const GroupId& setup, std::string words) = 0;

  // Called when nothing has happened for a while and the process waits for this operation only.
  virtual void look(const Pending& awaited) = 0;

  // For a report on such a process: the two lists, if it waits in a group that another member has made with another
  // list.
  virtual std::string differing_lists(const Pending& awaited) const = 0;

  virtual void failed(const GroupState& group, const FaultPointer& fault) = 0;

  // The program gives up the group's last handle.
  virtual void let_go(GroupState& group) = 0;

  // The process is about to leave: waits until all processes are, and notes what is left over. Throws Error.
  virtual void leave(const std::shared_ptr<GroupState>& all, const Where& where) = 0;
};

}  // namespace cohort::detail
