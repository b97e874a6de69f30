// SPDX-License-Identifier: Apache-2.0
// Asks whether awaited processes are absent, and performs the actions of the machine of presence.
#include <fmt/format.h>

#include <algorithm>

#include "runtime/calls/pending.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/presence/presence_frames.hpp"
#include "runtime/runtime.hpp"

namespace cohort::detail {

// Asks about waits that began before the last look.
void Runtime::ask_the_absent(Nanoseconds now, Nanoseconds limit) {
  driver_.waits().for_each([&](Wait& wait) {
    if (wait.since == Nanoseconds(0) || now - wait.since < limit) return;
    wait.each_awaited([&](Pending& pending) { ask_the_absent(pending); });
  });
}

void Runtime::ask_the_absent(Pending& awaited) {
  const Doing::Call call = awaited.describe();
  if (call.channel == Channel::setup) return;  // a later group() with the same list uses the same address
  if (call.any) return;                        // other members may send
  for (const Doing::Awaited& message : call.awaited) {
    if (!message.standing || message.pid == job_.me || !awaited.asks(message.pid)) continue;
    const MadeCall* const made = awaited.group().calls().find(awaited.number());
    const std::uint64_t bytes = made == nullptr ? 0 : made->bytes;
    const frames::AskPresence question{call.group, call.number, call.channel, awaited.kind(), bytes};
    messenger_.tell(message.pid, {question.header()});
  }
}

void Runtime::answer_askers() {
  if (!presence_.may_answer() || left()) return;
  if (control_)
    presence_.survivors_told([this](const Survivors::Question& asked) { return control_->gone(asked) != nullptr; });
  const Presence::Actions actions = presence_.answers(failures_, [this](const GroupId& id) { return part_in(id); });
  for (const Presence::Action& action : actions) std::visit([this](const auto& one) { perform(one); }, action);
  if (messenger_.dispatch()) driver_.tell_followers();
}

// Includes operations in progress, which continue while this process leaves.
Presence::Part Runtime::part_in(const GroupId& id) const {
  Presence::Part part;
  for (const GroupState* group : groups_) {
    if (group->id() != id) continue;
    part.calls = group->calls().count();
    if (group->fault()) part.fault = group->fault();
    group->for_each_pending([&](const Pending& pending) { part.sends_more = part.sends_more || pending.sends_more(); });
  }
  return part;
}

void Runtime::perform(const Presence::Compare& action) {
  const Presence::Asker& asker = action.asker;
  GroupState* const group = groups_.find(asker.group);
  const bool waits_rightly = group == nullptr || group->asked(asker.pid, asker.number, {asker.call, asker.bytes});
  if (!waits_rightly) presence_.settle(asker);
}

// The asker got the failure from the member that told this process, too, but maybe later, over a slower link. So the
// failure is sent before the absence.
void Runtime::perform(const Presence::TellAbsence& action) {
  if (action.fault) tell_failure(action.to, action.group, *action.fault);
  messenger_.tell(action.to, {frames::Absence{action.group, action.left_job}.header()});
}

void Runtime::perform(const Presence::TellLoss& action) {
  Fault fault = *action.loss;
  fault.cause +=
      fmt::format(", and {} waits for the survivors of group {}", describe(job_.me), to_string(action.survivors_of));
  tell_failure(action.to, action.group, fault, true);
}

void Runtime::hear(Pid from, const frames::AskPresence& question) {
  const std::uint64_t number = question.channel == Channel::collective ? question.tag : 0;
  presence_.asked({from, question.group, number, question.call, question.bytes});
}

// If the group has failed at the sender, the failure was told before.
void Runtime::hear(Pid from, const frames::Absence& absence) {
  if (failures_.awaits_death(from, absence.group)) return;
  const std::string cause = fmt::format("{} has {} and takes no part in it any more", describe(from),
                                        absence.left_job ? "left the job" : "let go of the group");
  messenger_.end_standing(from, absence.group, std::make_shared<const Fault>(Fault{ErrorCode::left, cause}));
}

}  // namespace cohort::detail
