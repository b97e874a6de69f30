// What develop mode does beside the calls. In run mode there is none of it.
#pragma once

#include <memory>
#include <string>

#include "cohort/detail/call.hpp"
#include "runtime/failures/fault.hpp"

namespace cohort::detail {

class Pending;
struct PlannedCall;

// Under the runtime's mutex, but for leave().
class Checks {
 public:
  virtual ~Checks() = default;

  // The operation for a call that is about to begin. Throws Error where the call is wrong by itself: its memory is in
  // use by another one, or the record that is replayed does not have it.
  virtual std::shared_ptr<Pending> collective(const std::shared_ptr<GroupState>& group, const PlannedCall& call) = 0;
  virtual std::shared_ptr<Pending> messages(const std::shared_ptr<GroupState>& group, const Letter* out,
                                            const Letter* in) = 0;

  // group() begins to set up a group; another process says that it has called it with this list, or, without words,
  // that it waits there for this process.
  virtual void sets_up(GroupState& group, const Where& where) = 0;
  virtual void told_of_list(Pid from, const GroupId& setup, std::string words) = 0;

  // Nothing has happened for a while, and this is all that the process waits for.
  virtual void look(const Pending& awaited) = 0;

  // For a report on such a process: the two lists, if it waits in a group that a member has made with another list.
  virtual std::string differing_lists(const Pending& awaited) const = 0;

  virtual void failed(const GroupState& group, const FaultPointer& fault) = 0;

  // The group's last handle goes.
  virtual void let_go(GroupState& group) = 0;

  // The process is about to leave: waits until all are, and notes what is left over. Throws Error.
  virtual void leave(const std::shared_ptr<GroupState>& all, const Where& where) = 0;
};

}  // namespace cohort::detail
