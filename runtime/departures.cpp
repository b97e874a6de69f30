// Messages that are awaited in vain: a member has left the job, has let go of its last handle of the group, or has
// called something else where the others called this.
//
// Whoever has waited for a while asks the processes that it waits for, once. A process answers when it is gone for that
// group: at once, or when it goes. The answer comes behind all that it ever sent, so a message that is not there then
// will never come. In a collective it looks, too, whether it has made that call. Nothing of this touches messages that
// are not late.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/group_state.hpp"
#include "runtime/pending.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

// What has been waited for since before the last look.
void Runtime::ask_the_absent(Nanoseconds now, Nanoseconds limit) {
  waits_.for_each([&](Wait& wait) {
    if (wait.since == Nanoseconds(0) || now - wait.since < limit) return;
    wait.each_awaited([&](Pending& pending) { ask_the_absent(pending); });
  });
}

void Runtime::ask_the_absent(Pending& awaited) {
  const Doing::Call call = awaited.describe();
  if (call.channel == Channel::setup) return;  // the same list may be grouped again, under the same address
  if (call.any) return;                        // others may send
  for (const Doing::Awaited& message : call.awaited) {
    if (!message.standing || message.pid == job_.me || !awaited.asks(message.pid)) continue;
    const MadeCall* const made = awaited.group().called(awaited.number());
    const std::uint64_t bytes = made == nullptr ? 0 : made->bytes;
    messenger_.ask_presence(message.pid, {call.group, call.number, call.channel}, awaited.kind(), bytes);
  }
}

void Runtime::answer_askers() {
  if (askers_.empty() || left_) return;
  const std::size_t answered = std::erase_if(askers_, [&](const Asker& asker) {
    const Pid pid = asker.pid;
    const GroupId& id = asker.group;
    const bool let_go = std::ranges::find(removed_groups_, id, &RemovedGroup::id) != removed_groups_.end();
    const bool leaves = leaving_ && !job_.develop;  // in develop mode that is a call that others agree on
    if (!leaves && asks_for_survivors_instead(asker)) return true;
    if (!leaves && !let_go) return asker.number > 0 && !waits_rightly(asker);
    if (sends_more(id)) return false;
    // Why it went: who told it of a failure has told the asker too, but maybe over a slower link.
    if (const FaultPointer fault = fault_of(id)) messenger_.tell_failure(pid, id, *fault);
    messenger_.tell_absence(pid, id, leaves);
    return true;
  });
  if (answered == 0) return;
  messenger_.dispatch();
  if (followers_ > 0) changed_.notify_all();
}

// While this process waits for the survivors of a group, a member of that group waits for it in another one, which has
// lost nobody: neither would go on. So the asker fails the other group, with the record of the loss, unless what it
// waited for has come meanwhile.
bool Runtime::asks_for_survivors_instead(const Asker& asker) {
  const auto asked = std::ranges::find_if(survivors_asked_, [&](const SurvivorsAsked& call) {
    return std::ranges::find(call.members, asker.pid) != call.members.end() && !control_->absent(call.question);
  });
  if (asked == survivors_asked_.end()) return false;
  const auto group = std::ranges::find(groups_, asker.group, &GroupState::id);
  const bool has_called = group != groups_.end() && asker.number > 0 && asker.number <= (*group)->numbers_given();
  const FaultPointer loss = loss_behind(asked->question.group);
  if (has_called || !loss) return false;
  Fault fault = *loss;
  fault.cause +=
      fmt::format(", and {} waits for the survivors of group {}", describe(job_.me), to_string(asked->question.group));
  messenger_.tell_failure(asker.pid, asker.group, fault, true);
  return true;
}

// By which a group has failed; else the latest that is known here, or null.
FaultPointer Runtime::loss_behind(const GroupId& id) const {
  if (FaultPointer fault = fault_of(id); fault && fault->failure) return fault;
  FaultPointer latest;
  for (const auto& [pid, fault] : dead_) {
    if (!latest || fault->failure->number > latest->failure->number) latest = fault;
  }
  return latest;
}

// Whether this process may still have something to say in that call. Fails the group if it has made another one there;
// in develop mode the members agree on each call before, and know more.
bool Runtime::waits_rightly(const Asker& asker) {
  const auto group = std::ranges::find(groups_, asker.group, &GroupState::id);
  return group == groups_.end() || job_.develop || (*group)->asked(asker.pid, asker.number, {asker.call, asker.bytes});
}

// Operations in progress go on while this process leaves.
bool Runtime::sends_more(const GroupId& id) const {
  bool more = false;
  for (const GroupState* group : groups_) {
    if (group->id() != id) continue;
    group->for_each_pending([&](const Pending& pending) { more = more || pending.sends_more(); });
  }
  return more;
}

FaultPointer Runtime::fault_of(const GroupId& id) const {
  for (const GroupState* group : groups_) {
    if (group->id() == id && group->fault()) return group->fault();
  }
  const auto removed = std::ranges::find(removed_groups_, id, &RemovedGroup::id);
  return removed == removed_groups_.end() ? nullptr : removed->fault;
}

void Runtime::absent(Pid peer, const GroupId& group, bool left_job) {
  messenger_.end_standing(peer, group,
                          std::make_shared<const Fault>(Fault{
                              ErrorCode::left, fmt::format("{} has {} and takes no part in it any more", describe(peer),
                                                           left_job ? "left the job" : "let go of the group")}));
}

}  // namespace cohort::detail
