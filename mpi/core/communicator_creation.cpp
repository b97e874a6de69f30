// SPDX-License-Identifier: Apache-2.0
// New communicators over some of the members of an old one.
//
// Each member computes the lists of the new members by itself: from the program's group, or from the votes of all
// members. So the votes are the only communication.
#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "groups/hash.hpp"
#include "mpi/core/communicator_functions.hpp"
#include "mpi/core/mistake.hpp"
#include "mpi/core/new_communicators.hpp"
#include "mpi/core/own_collectives.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::mpi {
namespace {

struct Vote {
  int color = 0;
  int key = 0;
};

// The ranks first ... first + size in the old group that voted for this colour, by key and then by rank.
std::vector<Pid> voters(const cohort::Group& all, const std::vector<Vote>& votes, int color, int first, int size) {
  const auto vote = [&](Rank rank) { return votes[static_cast<std::size_t>(rank)]; };
  std::vector<Rank> ranks;
  for (Rank rank = first; rank < first + size; ++rank) {
    if (vote(rank).color == color) ranks.push_back(rank);
  }
  std::ranges::stable_sort(ranks, {}, [&](Rank rank) { return vote(rank).key; });
  std::vector<Pid> pids(ranks.size());
  std::ranges::transform(ranks, pids.begin(), [&](Rank rank) { return all.pid_of(rank); });
  return pids;
}

// `color`: abi::undefined, or not negative.
Communicator* split(Communicator& comm, int color, int key, const char* name) {
  const std::vector<Vote> votes = own::concat(name, comm.all, Vote{color, key});
  const Mark mark{.number = comm.next_creation()};
  if (color == abi::undefined) return nullptr;
  const int first = comm.is_inter() ? comm.sides->local_first : 0;
  std::vector<Pid> local = voters(comm.all, votes, color, first, comm.size);
  if (!comm.is_inter()) return new_intracommunicator(comm, std::move(local), mark);
  const std::vector<Pid> remote = voters(comm.all, votes, color, comm.sides->remote_first, comm.sides->remote_size);
  return remote.empty() ? nullptr : new_intercommunicator(comm, comm.all, local, remote, mark);
}

// The number of this process's host; undefined where the whole communicator is on one host and parts of it are wanted.
int color_by_host(const Communicator& comm, bool parts_only) {
  const Job& job = detail::state_of(comm.all)->runtime().job();
  const int mine = job.address(job.me).host_number;
  const std::vector<Pid> all = comm.all.members();
  const auto is_here = [&](Pid pid) { return job.address(pid).host_number == mine; };
  return parts_only && std::ranges::all_of(all, is_here) ? abi::undefined : mine;
}

// The only kind of hardware that Cohort knows, by the standard's name.
bool asks_for_shared_memory(const Info* info) {
  const std::string* const wanted = info != nullptr ? info->get("mpi_hw_resource_type") : nullptr;
  return wanted != nullptr && *wanted == "mpi_shared_memory";
}

int color_by_type(const Communicator& comm, int split_type, const Info* info) {
  switch (split_type) {
    case abi::undefined:
      return abi::undefined;
    case abi::comm_type_shared:
      return color_by_host(comm, false);
    case abi::comm_type_hw_unguided:
      return color_by_host(comm, true);
    case abi::comm_type_hw_guided:
    case abi::comm_type_resource_guided:
      return asks_for_shared_memory(info) ? color_by_host(comm, false) : abi::undefined;
    default:
      throw Mistake(abi::err_arg, "split_type " + std::to_string(split_type) +
                                      " is none of the MPI_COMM_TYPE_ constants, nor MPI_UNDEFINED");
  }
}

void check_inside(const Communicator& comm, const ProcessGroup& group) {
  const Members& all = detail::state_of(comm.all)->members();
  for (const Pid pid : group.members) {
    const std::optional<Rank> rank = all.rank_of(pid);
    const int first = comm.is_inter() ? comm.sides->local_first : 0;
    check(rank && *rank >= first && *rank < first + comm.size, abi::err_group,
          "the group has a process that is not in the communicator's (local) group");
  }
}

// The rank of this process in the group, or -1.
int rank_here(const Communicator& comm, const ProcessGroup& group) {
  return group.rank_of(comm.all.pid_of(comm.all.rank()));
}

// Of an intercommunicator. Each side knows its own group; the votes are the ranks in the two groups, or -1.
Communicator* create_inter(Communicator& comm, const ProcessGroup& group) {
  const int mine = rank_here(comm, group);
  const std::vector<int> ranks = own::concat("MPI_Comm_create", comm.all, mine);
  const Mark mark{.number = comm.next_creation()};
  std::vector<std::pair<int, Pid>> remote;
  for (int peer = 0; peer < comm.peers(); ++peer) {
    const Rank rank = comm.to_runtime(peer);
    const int in_group = ranks[static_cast<std::size_t>(rank)];
    if (in_group >= 0) remote.emplace_back(in_group, comm.all.pid_of(rank));
  }
  if (mine < 0 || remote.empty()) return nullptr;
  std::ranges::sort(remote);
  std::vector<Pid> pids(remote.size());
  std::ranges::transform(remote, pids.begin(), &std::pair<int, Pid>::second);
  return new_intercommunicator(comm, comm.all, group.members, pids, mark);
}

// How often this process has made a communicator of the same list, with the same tag, from the same one. Several
// threads may make some at once, with different tags.
std::uint64_t repetitions(const GroupId& parent, std::uint64_t list) {
  static std::mutex mutex;
  static auto& made = *new std::map<std::pair<GroupId, std::uint64_t>, std::uint64_t>;  // never destroyed
  const std::lock_guard lock(mutex);
  return made[{parent, list}]++;
}

}  // namespace

void comm_split(Communicator& comm, int color, int key, Communicator*& newcomm) {
  check(color >= 0 || color == abi::undefined, abi::err_arg, "a color is not negative, or MPI_UNDEFINED");
  newcomm = split(comm, color, key, "MPI_Comm_split");
}

void comm_split_type(Communicator& comm, int split_type, int key, Info* info, Communicator*& newcomm) {
  newcomm = split(comm, color_by_type(comm, split_type, info), key, "MPI_Comm_split_type");
  if (newcomm != nullptr && info != nullptr) newcomm->hints.assign(*info);
}

void comm_create(Communicator& comm, ProcessGroup& group, Communicator*& newcomm) {
  newcomm = nullptr;
  check_inside(comm, group);
  if (comm.is_inter()) {
    newcomm = create_inter(comm, group);
    return;
  }
  check_usable(comm, "MPI_Comm_create");
  const Mark mark{.number = comm.next_creation()};
  if (rank_here(comm, group) >= 0) newcomm = new_intracommunicator(comm, group.members, mark);
}

void comm_create_group(Communicator& comm, ProcessGroup& group, int tag, Communicator*& newcomm) {
  newcomm = nullptr;
  check(!comm.is_inter(), abi::err_comm, "MPI_Comm_create_group is not for intercommunicators");
  check(tag >= 0, abi::err_tag, "a tag is not negative");
  check_inside(comm, group);
  check_usable(comm, "MPI_Comm_create_group");
  if (rank_here(comm, group) < 0) return;
  Hash list;
  list.add(static_cast<std::uint64_t>(tag));
  for (const Pid pid : group.members) list.add(static_cast<std::uint64_t>(pid));
  const Mark mark{Mark::Of::list, repetitions(comm.all.id(), list.value()), list.value()};
  newcomm = new_intracommunicator(comm, group.members, mark);
}

}  // namespace cohort::mpi
