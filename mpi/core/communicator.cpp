// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/communicator.hpp"

#include <mutex>
#include <utility>

#include "mpi/core/new_communicators.hpp"
#include "runtime/groups/group_state.hpp"
#include "runtime/groups/new_group.hpp"

namespace cohort::mpi {
namespace {

// Marks what the core derives from a group. The runtime's own numbers at this place are a rank or -1.
constexpr std::uint64_t of_core = ~std::uint64_t{1};

std::mutex noting;  // guards of_requests_ of all communicators: another thread may revoke

std::vector<Pid> part_of(const cohort::Group& group, int first, int size) {
  const std::vector<Pid> all = group.members();
  return {all.begin() + first, all.begin() + first + size};
}

Communicator* with_errhandler_of(const Communicator& from, Communicator* made) {
  made->errhandler = from.errhandler;
  return made;
}

}  // namespace

Communicator::Communicator(cohort::Group runtime_group)
    : Object(Kind::communicator), all(std::move(runtime_group)), size(all.size()), rank(all.rank()) {}

Communicator::Communicator(cohort::Group both, Sides of_both)
    : Object(Kind::communicator),
      all(std::move(both)),
      size(of_both.local.size()),
      rank(of_both.local.rank()),
      sides(std::make_unique<const Sides>(std::move(of_both))) {}

Communicator::~Communicator() = default;

std::vector<Pid> Communicator::members() const { return part_of(all, sides ? sides->local_first : 0, size); }

std::vector<Pid> Communicator::remote_members() const { return part_of(all, sides->remote_first, sides->remote_size); }

void Communicator::note_of_request(const cohort::Group& group) {
  const std::lock_guard lock(noting);
  std::erase_if(of_requests_, [](const auto& state) { return state.expired(); });
  of_requests_.push_back(detail::pointer_in(detail::state_of(group)));
}

std::vector<cohort::Group> Communicator::of_requests() const {
  const std::lock_guard lock(noting);
  std::vector<cohort::Group> groups;
  for (const auto& state : of_requests_) {
    if (std::shared_ptr<detail::GroupState> held = state.lock()) groups.emplace_back(std::move(held));
  }
  return groups;
}

Communicator* comm_of_first(Communicator& parent, int n, const char* function) {
  if (parent.rank >= n) return nullptr;
  check_usable(parent, function);
  return with_errhandler_of(parent, new Communicator(parent.all.subrange(0, 1, n)));
}

cohort::Group group_of(const cohort::Group& parent, std::vector<Pid> members, const Mark& mark) {
  return cohort::Group(detail::derived_group(*detail::state_of(parent), Members::list(std::move(members)),
                                             {of_core, static_cast<std::uint64_t>(mark.of), mark.number, mark.list},
                                             parent.label()));
}

Communicator* new_intracommunicator(const Communicator& from, std::vector<Pid> members, const Mark& mark) {
  return with_errhandler_of(from, new Communicator(group_of(from.all, std::move(members), mark)));
}

Communicator* new_intercommunicator(const Communicator& from, const cohort::Group& parent,
                                    const std::vector<Pid>& local, const std::vector<Pid>& remote, const Mark& mark) {
  const bool local_first = local.front() < remote.front();
  std::vector<Pid> both = local_first ? local : remote;
  const std::vector<Pid>& second = local_first ? remote : local;
  both.insert(both.end(), second.begin(), second.end());
  const cohort::Group all = group_of(parent, std::move(both), mark);
  return with_errhandler_of(from,
                            new Communicator(all, {.local = group_of(all, local, {.of = Mark::Of::local_side}),
                                                   .local_first = local_first ? 0 : static_cast<int>(remote.size()),
                                                   .remote_first = local_first ? static_cast<int>(local.size()) : 0,
                                                   .remote_size = static_cast<int>(remote.size())}));
}

void check_usable(const Communicator& communicator, const char* function) {
  const detail::GroupState& state = *detail::state_of(communicator.all);
  const detail::Runtime::Lock lock(state.runtime());
  detail::Letter call;
  call.operation = Operation::group;
  call.as = function;
  state.check(call);
}

}  // namespace cohort::mpi
