#include "runtime/task.hpp"

#include <stdexcept>
#include <utility>

#include "runtime/problem_of.hpp"

namespace cohort::detail {

Task task_of(const Handle& handle, Call& call) {
  const GroupState& group = *handle.group;
  Task task{problem_of(group, call), nullptr};
  if (task.problem.operation != call.operation) return task;  // the set-up of a group

  Choice choice;
  if (!handle.algorithm.empty()) {
    try {
      choice = parse_choice(handle.algorithm, call.operation);
    } catch (const std::invalid_argument& error) {
      refuse(group, call.operation, call.where, error.what());
    }
  } else if (const Choice* users = group.runtime().job().tuning.choice(call.operation)) {
    choice = *users;
  } else {
    return task;
  }
  task.algorithm = choice.algorithm;
  task.problem.parameters = std::move(choice.parameters);
  task.problem.mesh = std::move(choice.mesh);
  if (const auto reason = obstacle(*task.algorithm, task.problem)) {
    refuse(group, call.operation, call.where, *reason + (handle.algorithm.empty() ? " (asked for at launch)" : ""));
  }
  return task;
}

}  // namespace cohort::detail
