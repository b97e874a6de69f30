// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/recovery.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

#include "cohort/operators.hpp"
#include "mpi/core/mistake.hpp"
#include "mpi/core/new_communicators.hpp"
#include "mpi/core/own_collectives.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::mpi {
namespace {

// The members that live, as the launcher tells all of them alike. Where a job ends with its first failure, nobody can
// be missing.
cohort::Group living_members(const Communicator& comm) {
  if (detail::state_of(comm.all)->runtime().job().goes_on) return comm.all.survivors();
  return comm.all.subrange(0, 1, comm.all.size());
}

std::vector<Pid> those(std::vector<Pid> pids, const auto& wanted) {
  std::erase_if(pids, [&](Pid pid) { return !wanted(pid); });
  return pids;
}

auto among(const cohort::Group& group) {
  return [&members = detail::state_of(group)->members()](Pid pid) { return members.rank_of(pid).has_value(); };
}

std::mutex acknowledging;  // of Losses::acknowledged

std::vector<Pid> acknowledged(const Communicator& comm) {
  const std::lock_guard lock(acknowledging);
  return comm.losses.acknowledged;
}

bool has_acknowledged_all(const Communicator& comm, const cohort::Group& living) {
  const std::vector<Pid> known = acknowledged(comm);
  return std::ranges::all_of(
      comm.all.members(), [&](Pid pid) { return among(living)(pid) || std::ranges::find(known, pid) != known.end(); });
}

void revoke(const cohort::Group& group) {
  detail::GroupState& state = *detail::state_of(group);
  const detail::Runtime::Lock lock(state.runtime());
  const Pid me = state.runtime().job().me;
  state.fail_and_tell(std::make_shared<const Fault>(
                          Fault{ErrorCode::revoked, fmt::format("{} has revoked it", state.describe(me)), nullptr, me}),
                      me);
}

}  // namespace

void comm_revoke(Communicator& comm) {
  revoke(comm.all);
  if (comm.is_inter()) revoke(comm.sides->local);
  for (const cohort::Group& group : comm.of_requests()) revoke(group);
}

void comm_is_revoked(Communicator& comm, int& flag) {
  const detail::GroupState& state = *detail::state_of(comm.all);
  const detail::Runtime::Lock lock(state.runtime());
  flag = state.fault() && state.fault()->code == ErrorCode::revoked ? 1 : 0;
}

void comm_shrink(Communicator& comm, Communicator*& newcomm) {
  newcomm = nullptr;
  cohort::Group living = living_members(comm);
  if (comm.is_inter()) {
    const std::vector<Pid> local = those(comm.members(), among(living));
    const std::vector<Pid> remote = those(comm.remote_members(), among(living));
    if (!remote.empty()) newcomm = new_intercommunicator(comm, living, local, remote, {});
    return;
  }
  newcomm = new Communicator(std::move(living));
  newcomm->errhandler = comm.errhandler;
}

// A combine may succeed at some members and fail at others, because a process died meanwhile. So nobody goes by its own
// combine. When all have tried it, the launcher says who lives: if nobody has died, it succeeded everywhere; otherwise
// all try again.
void comm_agree(Communicator& comm, int& flag) {
  cohort::Group living = comm.losses.living ? *comm.losses.living : living_members(comm);
  for (;;) {
    std::array<int, 2> agreed{flag, has_acknowledged_all(comm, living) ? 1 : 0};
    std::exception_ptr error;
    try {
      own::combine("MPIX_Comm_agree", living, agreed, cohort::bit_and);
    } catch (const cohort::Error&) {
      error = std::current_exception();
    }
    cohort::Group after = living_members(comm);
    const bool nobody_died = after.size() == living.size();
    living = std::move(after);
    if (!nobody_died) continue;
    comm.losses.living = living;
    if (error) std::rethrow_exception(error);
    flag = agreed[0];
    check(agreed[1] != 0, abi::err_proc_failed, "a member is lost, and not all living members have acknowledged that");
    return;
  }
}

void comm_failure_ack(Communicator& comm) {
  detail::Runtime& runtime = detail::state_of(comm.all)->runtime();
  std::vector<Pid> lost;
  {
    const detail::Runtime::Lock lock(runtime);
    lost = runtime.lost();
  }
  const auto is_lost = [&](Pid pid) { return std::ranges::find(lost, pid) != lost.end(); };
  std::vector<Pid> known = those(comm.all.members(), is_lost);
  const std::lock_guard lock(acknowledging);
  comm.losses.acknowledged = std::move(known);
}

void comm_failure_get_acked(Communicator& comm, ProcessGroup*& failedgrp) {
  std::vector<Pid> known = acknowledged(comm);
  failedgrp = known.empty() ? handle_for_program(ProcessGroup::empty()) : new ProcessGroup(std::move(known));
}

}  // namespace cohort::mpi
