#include "runtime/task.hpp"

#include <stdexcept>
#include <utility>

#include "runtime/problem_of.hpp"

namespace cohort::detail {

const Choice& NamedAlgorithm::choice(Operation operation) const {
  const std::lock_guard lock(mutex_);
  const auto known = choices_.find(operation);
  return known != choices_.end() ? known->second
                                 : choices_.emplace(operation, parse_choice(text_, operation)).first->second;
}

std::shared_ptr<const NamedAlgorithm> name_algorithm(std::string_view text) {
  return text.empty() ? nullptr : std::make_shared<const NamedAlgorithm>(text);
}

Task task_of(const Handle& handle, Call& call) {
  const GroupState& group = *handle.group;
  Task task{problem_of(group, call), nullptr};
  if (task.problem.operation != call.operation) return task;  // the set-up of a group

  const Choice* choice = nullptr;
  try {
    choice = handle.algorithm ? &handle.algorithm->choice(call.operation)
                              : group.runtime().job().tuning.choice(call.operation);
  } catch (const std::invalid_argument& error) {
    refuse(group, call.operation, call.where, error.what());
  }
  if (choice == nullptr) return task;
  task.algorithm = choice->algorithm;
  task.problem.parameters = choice->parameters;
  task.problem.mesh = choice->mesh;
  if (const auto reason = obstacle(*task.algorithm, task.problem)) {
    refuse(group, call.operation, call.where, *reason + (handle.algorithm ? "" : " (asked for at launch)"));
  }
  return task;
}

}  // namespace cohort::detail
