// SPDX-License-Identifier: Apache-2.0
// What communicators are, their copies and their end.
#include "mpi/core/communicator_functions.hpp"

#include <algorithm>
#include <utility>

#include "mpi/core/mistake.hpp"
#include "mpi/core/new_communicators.hpp"
#include "mpi/core/request.hpp"
#include "runtime/calls/pending.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::mpi {
namespace {

enum class Likeness { none, same_members, same_order };

Likeness likeness(std::vector<Pid> a, std::vector<Pid> b) {
  if (a == b) return Likeness::same_order;
  std::ranges::sort(a);
  std::ranges::sort(b);
  return a == b ? Likeness::same_members : Likeness::none;
}

// The members that take part take the new group before the copy functions of the program are called: these may fail at
// one member alone.
Communicator* copy_of(Communicator& comm, const Info* hints, const char* function) {
  check_usable(comm, function);
  cohort::Group all = comm.all.subrange(0, 1, comm.all.size());
  Ref<Communicator> copy;
  if (comm.is_inter()) {
    Communicator::Sides sides = *comm.sides;
    sides.local = sides.local.subrange(0, 1, comm.size);
    copy = Ref<Communicator>::adopt(new Communicator(std::move(all), std::move(sides)));
  } else {
    copy = Ref<Communicator>::adopt(new Communicator(std::move(all)));
  }
  copy->errhandler = comm.errhandler;
  copy->topology = comm.topology;
  if (hints != nullptr) copy->hints.assign(*hints);
  comm.attributes.copy_to(comm, copy->attributes);
  return copy.leak();
}

// Nothing is in progress after the call that starts the copy.
void start_copy(Communicator& comm, const Info* hints, const char* function, Communicator*& newcomm,
                Request*& request) {
  newcomm = copy_of(comm, hints, function);
  request = new Request(&comm);
}

void check_inter(const Communicator& comm) {
  check(comm.is_inter(), abi::err_comm, "the communicator has no remote group: it is no intercommunicator");
}

void check_may_end(const Communicator& comm) {
  check(!comm.predefined, abi::err_comm, "MPI_COMM_WORLD and MPI_COMM_SELF exist until MPI_Finalize");
}

bool is_idle(const detail::GroupState& state) {
  bool idle = true;
  state.for_each_pending([&](const detail::Pending& pending) { idle = idle && pending.ended(); });
  return idle;
}

}  // namespace

void comm_size(Communicator& comm, int& size) { size = comm.size; }
void comm_rank(Communicator& comm, int& rank) { rank = comm.rank; }
void comm_group(Communicator& comm, ProcessGroup*& group) { group = new ProcessGroup(comm.members()); }

void comm_compare(Communicator& first, Communicator& second, int& result) {
  result = abi::unequal;
  if (first.is_inter() != second.is_inter()) return;
  if (&first == &second) {
    result = abi::ident;
    return;
  }
  Likeness least = likeness(first.members(), second.members());
  if (first.is_inter()) least = std::min(least, likeness(first.remote_members(), second.remote_members()));
  if (least == Likeness::same_order) result = abi::congruent;
  if (least == Likeness::same_members) result = abi::similar;
}

void comm_dup(Communicator& comm, Communicator*& newcomm) { newcomm = copy_of(comm, &comm.hints, "MPI_Comm_dup"); }

void comm_dup_with_info(Communicator& comm, Info* info, Communicator*& newcomm) {
  newcomm = copy_of(comm, info, "MPI_Comm_dup_with_info");
}

void comm_idup(Communicator& comm, Communicator*& newcomm, Request*& request) {
  start_copy(comm, &comm.hints, "MPI_Comm_idup", newcomm, request);
}

void comm_idup_with_info(Communicator& comm, Info* info, Communicator*& newcomm, Request*& request) {
  start_copy(comm, info, "MPI_Comm_idup_with_info", newcomm, request);
}

// Requests in progress keep the object until they are complete.
void comm_free(Communicator*& comm) {
  check_may_end(*comm);
  comm->attributes.remove_all(*comm);
  free_handle(comm);
}

void comm_disconnect(Communicator*& comm) {
  check_may_end(*comm);
  const detail::GroupState& all = *detail::state_of(comm->all);
  const detail::GroupState& local = comm->is_inter() ? *detail::state_of(comm->sides->local) : all;
  {
    detail::Runtime::Lock lock(all.runtime());
    all.runtime().wait_until(
        lock, [&] { return is_idle(all) && is_idle(local); }, "MPI_Comm_disconnect");
  }
  comm_free(comm);
}

void comm_set_info(Communicator& comm, Info* info) {
  check(info != nullptr, abi::err_info, "MPI_INFO_NULL has no hints to set");
  for (const auto& [key, value] : info->entries()) comm.hints.set(key, value);
}

void comm_get_info(Communicator& comm, Info*& info_used) {
  info_used = new Info;
  info_used->assign(comm.hints);
}

void comm_test_inter(Communicator& comm, int& flag) { flag = comm.is_inter() ? 1 : 0; }

void comm_remote_size(Communicator& comm, int& size) {
  check_inter(comm);
  size = comm.sides->remote_size;
}

void comm_remote_group(Communicator& comm, ProcessGroup*& group) {
  check_inter(comm);
  group = new ProcessGroup(comm.remote_members());
}

void comm_get_parent(Communicator*& parent) { parent = nullptr; }

}  // namespace cohort::mpi
