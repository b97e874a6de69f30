// SPDX-License-Identifier: Apache-2.0
#include "runtime/groups/group_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/calls/pending.hpp"
#include "runtime/calls/where.hpp"

namespace cohort::detail {

GroupState::GroupState(std::shared_ptr<Runtime> runtime, GroupId id, Members members, Rank me, std::int64_t label)
    : runtime_(std::move(runtime)),
      id_(id),
      members_(std::move(members)),
      me_(me),
      label_(label),
      schedules_(runtime_->job(), members_, me) {
  runtime_->add(*this);
}

GroupState::~GroupState() { runtime_->remove(*this); }

// A group fails once. One that has lost a member may still be revoked.
bool GroupState::has_failed(const Fault& by) const {
  return fault_ && (by.code != ErrorCode::revoked || fault_->code == ErrorCode::revoked);
}

void GroupState::fail(const FaultPointer& fault, Pid peer) {
  if (has_failed(*fault)) return;
  fault_ = fault;
  failed_peer_ = peer;
  runtime_->mode().failed(*this, fault);
  runtime_->blame(*fault);
  pending_.for_each([&](Pending& pending) {
    pending.fail(fault, peer);
    pending.may_have_ended();
  });
  runtime_->messenger().drop_all_of(id_);
  runtime_->driver().moved();
}

void GroupState::fail_and_tell(const FaultPointer& fault, Pid peer, Pid knows) {
  if (has_failed(*fault)) return;
  const bool launcher_tells = fault->failure && members_.rank_of(fault->failure->pid);
  for (Rank rank = 0; rank < members_.size() && !launcher_tells; ++rank) {
    const Pid pid = members_.pid_of(rank);
    if (pid != knows) runtime_->tell_failure(pid, id_, *fault);
  }
  fail(fault, peer);  // after the others are told: a sender must get this fault before its message is dropped here
}

void GroupState::look_for_mismatch() {
  pending_.for_each([&](Pending& pending) {
    if (!fault_ && !pending.ended()) pending.look_for_mismatch();
  });
  Pid caller = -1;
  if (const FaultPointer fault = unwanted_message(caller)) fail_and_tell(fault, caller);
}

FaultPointer GroupState::unwanted_message(Pid& caller) const {
  FaultPointer fault;
  runtime_->messenger().for_each_unexpected([&](Pid from, const frames::Message& message, const std::string&) {
    const auto& [group, number, channel] = message.envelope;
    if (channel != Channel::collective || group != id_ || number > calls_.count() || fault || fault_) return;
    const bool differs = calls_.differs(number, {message.call});
    if (!differs && goes_on(number)) return;
    caller = from;
    fault = differs
                ? calls_.difference(number, {message.call}, describe(from), describe(members_.pid_of(me_)))
                : std::make_shared<const Fault>(Fault{
                      ErrorCode::mismatch,
                      fmt::format("in call #{}, {}, {} sent {} a message that it does not receive: "
                                  "their arguments or algorithms differ",
                                  number, to_string(message.call), describe(from), describe(members_.pid_of(me_)))});
  });
  return fault;
}

bool GroupState::asked(Pid by, std::uint64_t number, const MadeCall& call) {
  if (!fault_ && !runtime_->mode().habits.agrees && calls_.differs(number, call))
    fail_and_tell(calls_.difference(number, call, describe(by), describe(members_.pid_of(me_))), by);
  return !fault_ && (number > calls_.count() || goes_on(number));
}

bool GroupState::goes_on(std::uint64_t number) const {
  bool found = false;
  pending_.for_each([&](const Pending& pending) { found = found || (!pending.ended() && pending.number() == number); });
  return found;
}

void GroupState::for_each_pending(const std::function<void(const Pending&)>& visit) const { pending_.for_each(visit); }

bool GroupState::waits_for(Pid pid) const {
  bool waits = false;
  pending_.for_each([&](const Pending& pending) {
    if (waits || pending.ended()) return;
    waits = std::ranges::any_of(pending.describe().awaited,
                                [&](const Doing::Awaited& awaited) { return awaited.pid == pid && awaited.standing; });
  });
  return waits;
}

void GroupState::add(Pending& pending) { pending_.add(pending); }

void GroupState::remove(Pending& pending) {
  pending_.remove(pending);
  if (blocking_ == &pending) blocking_ = nullptr;
}

void GroupState::check_alone(Operation operation, const Where& where) const {
  if (blocking_ == nullptr) return;
  refuse(*this, operation, to_string(where),
         "another thread is in a collective call on this group; give each thread a group of its own");
}

std::string GroupState::describe(Pid pid) const {
  const std::optional<Rank> rank = members_.rank_of(pid);
  return rank ? fmt::format("rank {} ({})", *rank, runtime_->describe(pid)) : runtime_->describe(pid);
}

ErrorContext GroupState::context_of(Pid pid) const {
  ErrorContext context;
  context.group = id_;
  if (pid < 0) return context;
  context.rank = members_.rank_of(pid).value_or(-1);
  context.pid = pid;
  context.host = runtime_->job().address(pid).host;
  return context;
}

std::string GroupState::describe(const Fault& fault) const {
  return fault.failure ? fmt::format("{} {}", describe(fault.failure->pid), fault.cause) : fault.cause;
}

}  // namespace cohort::detail
