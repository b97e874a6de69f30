// A collective call on its way down: from what the user asked for to a call that is ready to begin, in one step.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "runtime/calls/call_comparison.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::detail {

struct PlannedCall {
  std::shared_ptr<const Call> call;
  Task task;
  MadeCall made;
  std::shared_ptr<const Solution> solution;
};

// Checks the arguments, and finds the problem, what solves it, and this rank's schedule. It may correct the call, as
// problem_of() does. What the call asks for (Group::by) counts more than what the job's user does (COHORT_BCAST and its
// siblings), for this group's operations; the set-up of groups is the runtime's own. Throws Error(argument), also where
// there is no such algorithm or it can't solve the problem. Under the runtime's mutex.
PlannedCall plan(const Handle& handle, const std::shared_ptr<Call>& call);

// The first half of that: the problem, and the algorithm that was named. Without the mutex.
Task task_of(const Handle& handle, Call& call);

// What the caller of Group::by has written, read once for each operation that is called by it. By any thread.
class NamedAlgorithm {
 public:
  explicit NamedAlgorithm(std::string_view text) : text_(text) {}
  const Choice& choice(Operation operation) const;  // throws std::invalid_argument

 private:
  const std::string text_;
  mutable std::mutex mutex_;
  mutable std::map<Operation, Choice> choices_;
};

}  // namespace cohort::detail
