// SPDX-License-Identifier: Apache-2.0
// Forms a group of the members that are not lost.
#include "groups/survivors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cohort/group.hpp"
#include "runtime/calls/call_errors.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/groups/new_group.hpp"

namespace cohort {

namespace detail {

std::vector<Pid> Runtime::lost_members(const Survivors::Question& question, const std::vector<Pid>& members) {
  Lock lock(*this);
  if (!control_) return {};
  if (left()) throw Error(ErrorCode::left, "survivors: this process has left the job");
  if (!failures_.broken()) control_->ask_survivors(question, members);
  presence_.ask_survivors(question, members);
  // Ignore an answer that lists this process as lost: our own verdict may still be on its way.
  const auto answer = [&] {
    const std::vector<Pid>* const lost = failures_.broken() ? nullptr : control_->gone(question);
    return lost != nullptr && std::ranges::find(*lost, job_.me) == lost->end() ? lost : nullptr;
  };
  wait_until(
      lock, [&] { return failures_.broken() || left() || answer() != nullptr; },
      fmt::format("survivors of group {}", to_string(question.group)));
  presence_.survivors_told([&](const Survivors::Question& asked) { return asked == question; });
  if (const std::vector<Pid>* const lost = answer()) return *lost;
  const FaultPointer broken = failures_.broken();
  throw error_of(broken ? *broken : Fault{ErrorCode::left, "this process has left the job"},
                 "survivors: " + (broken ? broken->cause : "this process has left the job"), {});
}

std::shared_ptr<GroupState> survivors(GroupState& parent, const Where& where) {
  Runtime& runtime = parent.runtime();
  if (!runtime.job().goes_on && runtime.job().ranks() > 1) {
    refuse(parent, "survivors", where,
           "this job ends with its first failure; to go on it is started with --on-failure continue");
  }
  Survivors::Question question{parent.id(), 0};
  {
    const Runtime::Lock lock(runtime);
    question.number = parent.next_survivors();
  }
  std::vector<Pid> members = parent.members().pids();
  const std::vector<Pid> lost = runtime.lost_members(question, members);
  std::erase_if(members, [&](Pid pid) { return std::ranges::find(lost, pid) != lost.end(); });

  // All members have asked equally often, so all derive the same id. The first number is -1, so that it differs from
  // every subrange's.
  return derived_group(parent, Members::list(std::move(members)), {~std::uint64_t{0}, question.number}, parent.label());
}

}  // namespace detail

Group Group::survivors(Where where) const { return Group(detail::survivors(*state(), where)); }

}  // namespace cohort
