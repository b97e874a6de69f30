// From a call to its task: the problem, and the algorithm if the caller or the job's user names one.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "runtime/group_state.hpp"

namespace cohort::detail {

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

// What the call asks for (Group::by) counts more than what the job's user does (COHORT_BCAST and its siblings), for
// this group's operations; the set-up of groups is the runtime's own. May correct the call, as problem_of() does.
// Throws Error(argument), also where there is no such algorithm or it can't solve the problem.
Task task_of(const Handle& handle, Call& call);

}  // namespace cohort::detail
