// Leaving in develop mode is a collective of all processes: it fails where another process calls something else, and
// counts the messages that each should have received.
#pragma once

#include <set>
#include <utility>

#include "runtime/develop/checked_collective.hpp"
#include "runtime/develop/develop_checks.hpp"

namespace cohort::detail {

class Farewell : public CheckedCollective {
 public:
  // The checks outlive it.
  Farewell(const std::shared_ptr<GroupState>& group, const PlannedCall& planned, const DevelopChecks& checks)
      : CheckedCollective(group, planned), checks_(checks) {}

  // Others may wait for this process in other groups: they are told that it has left.
  void look_for_mismatch() override;

 private:
  const DevelopChecks& checks_;
  std::set<std::pair<Pid, GroupId>> told_;
};

// Waits until all processes leave. What is then left over, requests, messages, and lists of group() that others have
// not called, becomes the runtime's complaints. Throws Error.
void settle(const DevelopChecks& checks, const std::shared_ptr<GroupState>& all, const Where& where);

// The last handle of a group goes. Messages in it that nobody can receive any more become the runtime's complaints, and
// the group fails at the other members. No request is in progress: each holds its group. Under the mutex.
void look_back(GroupState& group);

}  // namespace cohort::detail
