// SPDX-License-Identifier: Apache-2.0
// Leaving in develop mode is a collective of all processes. It fails where another process makes another call, and
// counts the messages that each process should have received.
#pragma once

#include <set>
#include <utility>

#include "runtime/develop/checked_collective.hpp"
#include "runtime/develop/develop_mode.hpp"

namespace cohort::detail {

class Farewell : public CheckedCollective {
 public:
  // The mode outlives it.
  Farewell(const std::shared_ptr<GroupState>& group, const PlannedCall& planned, const DevelopMode& mode)
      : CheckedCollective(group, planned), mode_(mode) {}

  // Tells processes that wait for this one in other groups that it has left.
  void look_for_mismatch() override;

 private:
  const DevelopMode& mode_;
  std::set<std::pair<Pid, GroupId>> told_;
};

// Waits until all processes leave. Requests and messages that are left over, and lists of group() that other members
// have not called, become the runtime's complaints. Throws Error.
void settle(const DevelopMode& mode, const std::shared_ptr<GroupState>& all, const Where& where);

// Called when the last handle of a group goes. Messages in the group that nobody can receive any more become the
// runtime's complaints, and the group fails at the other members. No request is in progress, because each holds its
// group. Under the mutex.
void look_back(GroupState& group);

}  // namespace cohort::detail
