// SPDX-License-Identifier: Apache-2.0
// A collective call on its way down: one step from the user's arguments to a call that is ready to begin.
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
  MadeCall made;
  std::shared_ptr<const Solution> solution;  // problem, algorithm and schedule
};

// Checks the arguments, states the problem, chooses the algorithm and makes this rank's schedule. It may correct the
// call, as problem_of() does. An algorithm named by Group::by takes precedence over one named at launch (COHORT_BCAST
// and its siblings). Neither applies to the set-up of groups. Throws Error(argument), also if there is no such
// algorithm or it can't solve the problem. Under the runtime's mutex.
PlannedCall plan(const Handle& handle, const std::shared_ptr<Call>& call);

// The first half of plan(): the problem, and the algorithm that was named. Without the mutex.
Task task_of(const Handle& handle, Call& call);

// The text that the caller of Group::by has written. It is parsed once for each operation that is called with it. By
// any thread.
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
