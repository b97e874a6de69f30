// SPDX-License-Identifier: Apache-2.0
// The user's view of groups, and how new groups are made.
#include <fmt/format.h>

#include <optional>

#include "cohort/group.hpp"
#include "groups/hash.hpp"
#include "groups/partition.hpp"
#include "runtime/calls/call_errors.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/groups/new_group.hpp"
#include "runtime/runtime.hpp"

namespace cohort {

Rank Membership::size() const { return state()->members().size(); }
Rank Membership::rank() const { return state()->me(); }
GroupId Membership::id() const { return state()->id(); }
std::int64_t Membership::label() const { return state()->label(); }
std::vector<Pid> Membership::members() const { return state()->members().pids(); }

bool Membership::contains(Pid pid) const { return state()->members().rank_of(pid).has_value(); }

Rank Membership::rank_of(Pid pid, Where where) const {
  const std::optional<Rank> rank = state()->members().rank_of(pid);
  if (!rank) detail::refuse(*state(), "rank_of", where, fmt::format("pid {} is not a member", pid));
  return *rank;
}

Pid Membership::pid_of(Rank rank, Where where) const {
  if (const auto wrong = detail::defect_of_rank(*state(), rank)) detail::refuse(*state(), "pid_of", where, *wrong);
  return state()->members().pid_of(rank);
}

Collectives<detail::Started> Group::start() const { return Collectives<detail::Started>(handle()); }
Collectives<detail::Prepared> Group::prepare() const { return Collectives<detail::Prepared>(handle()); }

std::string Group::latest_algorithm() const {
  const detail::Runtime::Lock lock(state()->runtime());
  return state()->latest_algorithm();
}

namespace detail {

const Shared<GroupState>& state_of(const Membership& group) { return group.state(); }

std::shared_ptr<GroupState> new_group(const std::shared_ptr<Runtime>& runtime, std::span<const Pid> list,
                                      std::int64_t label, const Where& where) {
  const Pid me = runtime->job().me;
  if (const auto wrong = defect(list, me, runtime->job().ranks())) {
    const std::string place = to_string(where);
    throw Error(ErrorCode::argument, fmt::format("group: {} (called at {})", *wrong, place),
                {Operation::group, {}, -1, me, runtime->job().address(me).host, place});
  }
  const Members members = Members::list({list.begin(), list.end()});
  const Rank rank = *members.rank_of(me);
  GroupId id{list.front() == me ? runtime->take_counter() : 0, list.front(), 0};

  // The list itself addresses the set-up's messages: the n-th set-up of a list here matches the n-th at every other
  // member.
  const auto setting_up = make_own<GroupState>(runtime, setup_id(list), members, rank, label);
  {
    const Runtime::Lock lock(*runtime);
    runtime->mode().sets_up(*setting_up, where);
  }
  Call call;
  call.operation = Operation::group;
  call.output = {reinterpret_cast<std::byte*>(&id.counter), 1};
  call.element_bytes = sizeof id.counter;
  call.where = where;
  run({setting_up, {}}, std::move(call));
  return make_own<GroupState>(runtime, id, members, rank, label);
}

std::shared_ptr<GroupState> derived_group(GroupState& parent, Members members, std::initializer_list<std::uint64_t> how,
                                          std::int64_t label) {
  Hash derivation;
  derivation.add(parent.id().derivation).add(parent.id().counter).add(static_cast<std::uint64_t>(parent.id().pid));
  for (const std::uint64_t word : how) derivation.add(word);
  const GroupId id{parent.id().counter, members.pid_of(0), derivation.value() | 1};
  const Rank me = *members.rank_of(parent.runtime().job().me);
  return make_own<GroupState>(parent.shared_runtime(), id, std::move(members), me, label);
}

std::shared_ptr<GroupState> subgroup(GroupState& parent, Rank first, Rank stride, Rank count, std::int64_t label) {
  std::uint64_t repetition = 0;
  {
    const Runtime::Lock lock(parent.runtime());
    repetition = parent.next_subrange(first, stride, count);
    parent.runtime().drive_in_passing();
  }
  const auto word = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  return derived_group(parent, parent.members().subrange(first, stride, count),
                       {word(first), word(stride), word(count), repetition}, label);
}

}  // namespace detail

Group Group::partition(std::int64_t value, std::int64_t key, Where where) const {
  std::vector<PartitionVote> votes(static_cast<std::size_t>(size()));
  PartitionVote mine{value, key, state()->runtime().take_counter()};
  detail::Call call;
  call.operation = Operation::partition;
  call.input = {reinterpret_cast<std::byte*>(&mine), 1};
  call.output = {reinterpret_cast<std::byte*>(votes.data()), size()};
  call.element_bytes = sizeof mine;
  call.where = where;
  detail::run({state(), {}}, std::move(call));

  PartitionResult result = cohort::partition(state()->members(), votes, rank());
  return Group(detail::make_own<detail::GroupState>(state()->shared_runtime(), result.id, std::move(result.members),
                                                    result.me, value));
}

Group Group::group(std::span<const Rank> ranks, std::int64_t label, Where where) const {
  std::vector<Pid> pids;
  for (const Rank rank : ranks) {
    if (const auto wrong = detail::defect_of_rank(*state(), rank))
      detail::refuse(*state(), Operation::group, to_string(where), *wrong);
    pids.push_back(state()->members().pid_of(rank));
  }
  return Group(detail::new_group(state()->shared_runtime(), pids, label, where));
}

Group Group::subrange(Rank first, Rank stride, Rank count, Where where) const {
  const std::int64_t last = first + std::int64_t{stride} * (count - 1);
  const bool inside =
      count >= 1 && first >= 0 && first < size() && last >= 0 && last < size() && (stride != 0 || count == 1);
  const std::int64_t distance = std::int64_t{rank()} - first;
  const bool member =
      inside &&
      (stride == 0 ? distance == 0 : distance % stride == 0 && distance / stride >= 0 && distance / stride < count);
  if (!member) {
    detail::refuse(*state(), "subrange", where,
                   fmt::format("first {}, stride {}, count {} {}", first, stride, count,
                               inside ? "does not include the caller" : "leaves the group, or is empty"));
  }
  return Group(detail::subgroup(*state(), first, stride, count, label()));
}

}  // namespace cohort
