// SPDX-License-Identifier: Apache-2.0
#include "runtime/calls/planned_call.hpp"

#include <stdexcept>

#include "runtime/calls/problem_of.hpp"
#include "runtime/calls/where.hpp"

namespace cohort::detail {

const Choice& NamedAlgorithm::choice(Operation operation) const {
  const std::lock_guard lock(mutex_);
  const auto known = choices_.find(operation);
  return known != choices_.end() ? known->second
                                 : choices_.emplace(operation, parse_choice(text_, operation)).first->second;
}

Shared<const NamedAlgorithm> name_algorithm(std::string_view text) {
  return text.empty() ? nullptr : std::make_shared<const NamedAlgorithm>(text);
}

Task task_of(const Handle& handle, Call& call) {
  const GroupState& group = *handle.group;
  Task task{problem_of(group, call), nullptr};
  if (task.problem.operation != call.operation) return task;  // a group's set-up, or leaving: the runtime's own choice

  const Choice* choice = nullptr;
  try {
    choice = handle.algorithm ? &handle.algorithm->choice(call.operation)
                              : group.runtime().job().tuning.choice(call.operation);
  } catch (const std::invalid_argument& error) {
    refuse(group, call.operation, place_of(call), error.what());
  }
  if (choice == nullptr) return task;
  task.algorithm = choice->algorithm;
  task.problem.parameters = choice->parameters;
  task.problem.mesh = choice->mesh;
  if (const auto reason = obstacle(*task.algorithm, task.problem)) {
    refuse(group, call.operation, place_of(call), *reason + (handle.algorithm ? "" : " (asked for at launch)"));
  }
  return task;
}

PlannedCall plan(const Handle& handle, const std::shared_ptr<Call>& call) {
  GroupState& group = *handle.group;
  LatestCall& latest = group.latest_call(call->operation);
  if (latest.is_like(handle, *call, group.me())) return {call, latest.made(), latest.solution()};

  const Task task = task_of(handle, *call);
  PlannedCall planned{call, made_call(*call, task.problem), nullptr};
  Choices& choices = group.runtime().choices();
  // The set-up of a group is no barrier, even in barrier mode.
  planned.solution =
      call->operation == Operation::group
          ? group.schedules().make(task, choices.choose(task.problem), task.problem, Schedules::Signals::none)
          : group.schedules().solve(task, choices);
  latest.note(handle, *call, group.me(), planned.made, planned.solution);
  return planned;
}

}  // namespace cohort::detail
