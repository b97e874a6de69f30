// SPDX-License-Identifier: Apache-2.0
// Performs the actions of the machine of failures.
#include <fmt/format.h>

#include "runtime/failures/failure_frame.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

void Runtime::perform(const Failures::Actions& actions) {
  for (const Failures::Action& action : actions) std::visit([this](const auto& one) { perform(one); }, action);
}

void Runtime::perform(const Failures::AskWhy& action) { control_->suspect(action.peer, action.cause); }

void Runtime::perform(const Failures::NoVerdict& action) {
  using std::chrono::microseconds;
  const ProcessAddress& address = job_.address(action.peer);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  perform(failures_.died({0, action.peer, address.host, address.incarnation, FailureCause::link, 0,
                          fmt::format("lost its link to pid {}: {}", job_.me, action.cause),
                          fmt::format("pid {}", job_.me), std::chrono::duration_cast<microseconds>(now).count()}));
}

void Runtime::perform(const Failures::PeerFails& action) {
  if (action.fault->failure->number > 0) mistakes_.others.note_another(action.fault->cause);
  messenger_.fail_peer(action.peer, action.fault);
  for (GroupState* group : groups_) {
    if (group->members().rank_of(action.peer)) group->fail(action.fault, action.peer);
  }
  driver_.tell_followers();
}

void Runtime::perform(const Failures::GroupFails& action) {
  for (GroupState* group : groups_) {
    if (group->id() == action.told.group && group->members().rank_of(action.told.from)) fail(*group, action.told);
  }
}

void Runtime::tell_failure(Pid peer, const GroupId& group, const Fault& fault, bool only_we_know) {
  const frames::GroupFailure failure = frame_of(group, fault, job_.me, only_we_know);
  messenger_.tell(peer, {failure.header(), failure.cause});
}

void Runtime::hear(Pid from, const frames::GroupFailure& failure) {
  perform(failures_.told(told_by(from, failure, job_.ranks())));
}

void Runtime::fail(GroupState& group, const ToldFailure& told) {
  const Pid culprit = told.fault->culprit;
  const Pid about = culprit >= 0 ? culprit : told.from;  // the error names the same process at all members
  if (!told.only_we_know) return group.fail(told.fault, about);
  if (!told.fault->failure) return group.fail_and_tell(told.fault, about, told.from);
  if (group.waits_for(told.from)) group.fail_and_tell(told.fault, told.from);  // that member asks for survivors instead
}

// All operations in progress end with the error, and the transport releases their memory.
void Runtime::perform(const Failures::AllFails& action) {
  disconnect_all();
  end_all(action.fault);
}

void Runtime::broke(const std::exception& error) {
  const auto* known = dynamic_cast<const Error*>(&error);
  perform(
      failures_.broke(std::make_shared<const Fault>(Fault{known ? known->code() : ErrorCode::internal, error.what()})));
}

void Runtime::disconnect_all() {
  for (Pid pid = 0; pid < job_.ranks(); ++pid) {
    if (pid != job_.me) transport_->disconnect(pid);
  }
}

void Runtime::end_all(const FaultPointer& fault) {
  messenger_.fail_all(fault);
  for (GroupState* group : groups_) group->fail(fault, -1);
  messenger_.dispatch();
  driver_.moved();
}

}  // namespace cohort::detail
