// Going on without those who are lost.
#include "groups/survivors.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cohort/group.hpp"
#include "groups/hash.hpp"
#include "runtime/group_state.hpp"
#include "runtime/new_group.hpp"
#include "runtime/where.hpp"

namespace cohort {

namespace detail {

std::shared_ptr<GroupState> survivors(GroupState& parent, const Where& where) {
  Runtime& runtime = parent.runtime();
  if (!runtime.job().goes_on && runtime.job().ranks() > 1) {
    throw Error(ErrorCode::argument,
                fmt::format("survivors of group {}: this job ends with its first failure; to go on it is started with "
                            "--on-failure continue (called at {})",
                            to_string(parent.id()), to_string(where)));
  }
  Survivors::Question question{parent.id(), 0};
  {
    const Runtime::Lock lock(runtime);
    question.number = parent.next_survivors();
  }
  std::vector<Pid> members = parent.members().pids();
  const std::vector<Pid> absent = runtime.absent(question, members);
  std::erase_if(members, [&](Pid pid) { return std::ranges::find(absent, pid) != absent.end(); });

  // All have asked as often, so that all derive the same identifier. What begins a subrange's is never negative.
  const std::uint64_t derivation = Hash()
                                       .add(parent.id().derivation)
                                       .add(parent.id().counter)
                                       .add(static_cast<std::uint64_t>(parent.id().pid))
                                       .add(~std::uint64_t{0})
                                       .add(question.number)
                                       .value();
  const GroupId id{parent.id().counter, members.front(), derivation | 1};
  Members alive = Members::list(std::move(members));
  const Rank me = *alive.rank_of(runtime.job().me);
  return std::make_shared<GroupState>(parent.shared_runtime(), id, std::move(alive), me, parent.label());
}

}  // namespace detail

Group Group::survivors(Where where) const { return Group(detail::survivors(*state(), where)); }

}  // namespace cohort
