// SPDX-License-Identifier: Apache-2.0
#include "runtime/develop/develop_mode.hpp"

#include <utility>

#include "runtime/develop/checked_messages.hpp"
#include "runtime/develop/farewell.hpp"
#include "runtime/develop/memory_in_use.hpp"

namespace cohort::detail {

using namespace std::chrono_literals;

std::unique_ptr<Mode> mode_for(const Job& job) { return job.develop ? std::make_unique<DevelopMode>(job) : nullptr; }

// A wait that lasts for two ticks is not short.
DevelopMode::DevelopMode(const Job& job)
    : Mode({.agrees = true, .reports_all = true, .look_interval = 20ms, .longest_tick = 50ms}),
      receive_order(job.replay) {}

std::shared_ptr<Pending> DevelopMode::collective(const std::shared_ptr<GroupState>& group, const PlannedCall& call) {
  check_memory(*group, *call.call);
  const Operation operation = call.call->operation;
  // The set-up of a group is no barrier in develop mode either.
  if (operation == Operation::group || group->members().size() == 1) return make_own<PendingCollective>(group, call);
  std::shared_ptr<Pending> checked;
  if (operation == Operation::leave) {
    checked = make_own<Farewell>(group, call, *this);
  } else {
    checked = make_own<CheckedCollective>(group, call);
  }
  if (group->runtime().job().synchronous) overlaps.called(group->members(), checked->name());
  return checked;
}

std::shared_ptr<Pending> DevelopMode::messages(const std::shared_ptr<GroupState>& group, const Letter* out,
                                               const Letter* in) {
  check_memory(*group, out, in);
  return make_own<CheckedMessages>(group, out, in, *this);
}

void DevelopMode::sets_up(GroupState& group, const Where& where) { announce(lists, group, where); }

void DevelopMode::told_of_list(Pid from, const GroupId& setup, std::string words) {
  lists.told(from, setup, std::move(words));
}

void DevelopMode::look(const Pending& awaited) { look_for_other_list(lists, awaited); }

std::string DevelopMode::differing_lists(const Pending& awaited) const {
  return detail::differing_lists(lists, awaited);
}

void DevelopMode::failed(const GroupState& group, const FaultPointer& fault) {
  lists.forget(setup_id(group.members().pids()));
  latest_group_fault = fault;
}

void DevelopMode::let_go(GroupState& group) { look_back(group); }

void DevelopMode::leave(const std::shared_ptr<GroupState>& all, const Where& where) { settle(*this, all, where); }

}  // namespace cohort::detail
