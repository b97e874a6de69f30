// SPDX-License-Identifier: Apache-2.0
// How two groups of processes become one intercommunicator, and an intercommunicator one group.
//
// The leaders exchange the lists of their sides. Then each leader tells its own side, and everybody has all that the
// new groups follow from.
#include <algorithm>
#include <array>
#include <exception>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "mpi/core/communicator_functions.hpp"
#include "mpi/core/mistake.hpp"
#include "mpi/core/new_communicators.hpp"
#include "mpi/core/own_collectives.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort::mpi {
namespace {

constexpr const char* name_of_create = "MPI_Intercomm_create";

struct Proposal {
  std::int32_t mistake = abi::success;  // why the leader can't propose
  std::int32_t leader = 0;              // its pid
  std::uint32_t number = 0;             // which this leader has not proposed before
  std::int32_t size = 0;                // of its side
};

struct OtherLeader {
  Communicator& peers;
  int rank;
  std::uint32_t tag;

  // One message each way.
  template <class T>
  void exchange(std::span<const T> out, std::span<T> in) const {
    const detail::Letter sent = letter(detail::memory_of(out), sizeof(T));
    const detail::Letter received = letter(detail::memory_of(in), sizeof(T));
    detail::run(detail::state_of(peers.all), &sent, &received);
  }

 private:
  detail::Letter letter(const detail::Memory& elements, std::size_t element_bytes) const {
    detail::Letter letter;
    letter.operation = Operation::exchange;
    letter.memory = {elements.data, elements.count * static_cast<Count>(element_bytes)};
    letter.peer = peers.to_runtime(rank);
    letter.tag = tag;
    letter.as = name_of_create;
    letter.internal = true;
    return letter;
  }
};

// The highest bit tells these messages from those of an Exchange.
OtherLeader other_leader(Communicator* peers, int rank, int tag) {
  check(peers != nullptr, abi::err_comm, "the local leader needs a peer communicator");
  check(rank >= 0 && rank < peers->peers(), abi::err_rank, "the remote leader is no rank of the peer communicator");
  check(tag >= 0, abi::err_tag, "a tag is not negative");
  return {*peers, rank, static_cast<std::uint32_t>(tag) | 0x80000000};
}

struct Sides {
  Proposal ours, theirs;
  std::vector<Pid> remote;
};

Sides meet(const OtherLeader& other, const std::vector<Pid>& mine, const Proposal& ours) {
  Sides sides{ours, {}, {}};
  other.exchange(std::span<const Proposal>(&ours, 1), std::span<Proposal>(&sides.theirs, 1));
  sides.remote.resize(static_cast<std::size_t>(sides.theirs.size));
  other.exchange(std::span<const Pid>(mine), std::span<Pid>(sides.remote));
  return sides;
}

// The leader's error ends the call at the other members of its side, too: they wait for the leader.
void tell_own_side(const Communicator& local, int leader, Sides& sides) {
  std::array proposals{sides.ours, sides.theirs};
  own::bcast(name_of_create, local.all, proposals, leader);
  sides.ours = proposals[0];
  sides.theirs = proposals[1];
  if (sides.theirs.mistake != abi::success) {
    throw Mistake(sides.theirs.mistake,
                  "the local leader, rank " + std::to_string(leader) + ", could not reach the remote leader");
  }
  sides.remote.resize(static_cast<std::size_t>(sides.theirs.size));
  own::bcast(name_of_create, local.all, sides.remote, leader);
}

bool overlap(std::vector<Pid> a, std::vector<Pid> b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  std::vector<Pid> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return !both.empty();
}

// The members of both sides, with those first that have passed high = 0.
std::vector<Pid> merged(const Communicator& comm, bool is_high, bool remote_is_high) {
  if (is_high == remote_is_high) return comm.all.members();
  std::vector<Pid> low = is_high ? comm.remote_members() : comm.members();
  const std::vector<Pid> high = is_high ? comm.members() : comm.remote_members();
  low.insert(low.end(), high.begin(), high.end());
  return low;
}

}  // namespace

void intercomm_create(Communicator& local_comm, int local_leader, Communicator* peer_comm, int remote_leader, int tag,
                      Communicator*& newintercomm) {
  newintercomm = nullptr;
  check(!local_comm.is_inter(), abi::err_comm, "the local communicator is an intercommunicator");
  check(local_leader >= 0 && local_leader < local_comm.size, abi::err_rank,
        "the local leader is no rank of the local communicator");
  const std::vector<Pid> mine = local_comm.members();
  const cohort::Group& world = Communicator::world().all;
  Sides sides;
  std::exception_ptr mistake;
  if (local_comm.rank == local_leader) {
    const Proposal ours{abi::success, world.rank(), detail::state_of(world)->runtime().take_counter(), local_comm.size};
    try {
      sides = meet(other_leader(peer_comm, remote_leader, tag), mine, ours);
    } catch (const std::exception& error) {
      mistake = std::current_exception();
      const auto* known = dynamic_cast<const Mistake*>(&error);
      sides.theirs.mistake = known != nullptr ? known->code() : abi::err_other;
    }
  }
  try {
    tell_own_side(local_comm, local_leader, sides);
  } catch (const Mistake&) {
    if (mistake) std::rethrow_exception(mistake);
    throw;
  }
  check(!overlap(mine, sides.remote), abi::err_comm, "a process is in both groups");

  const Proposal& taken = mine.front() < sides.remote.front() ? sides.ours : sides.theirs;
  newintercomm = new_intercommunicator(local_comm, world, mine, sides.remote,
                                       {Mark::Of::leaders, taken.number, static_cast<std::uint64_t>(taken.leader)});
}

void intercomm_merge(Communicator& intercomm, int high, Communicator*& newintracomm) {
  newintracomm = nullptr;
  check(intercomm.is_inter(), abi::err_comm, "only the sides of an intercommunicator can be merged");
  const std::vector<int> all = own::concat("MPI_Intercomm_merge", intercomm.all, high != 0 ? 1 : 0);
  const auto local = std::span(all).subspan(static_cast<std::size_t>(intercomm.sides->local_first),
                                            static_cast<std::size_t>(intercomm.size));
  const auto remote = std::span(all).subspan(static_cast<std::size_t>(intercomm.sides->remote_first),
                                             static_cast<std::size_t>(intercomm.sides->remote_size));
  const Mark mark{.number = intercomm.next_creation()};
  const auto differ = [](std::span<const int> side) {
    return std::ranges::any_of(side, [&](int value) { return value != side.front(); });
  };
  check(!differ(local) && !differ(remote), abi::err_arg,
        "the members of one group have passed different values of high");
  newintracomm = new_intracommunicator(intercomm, merged(intercomm, local.front() != 0, remote.front() != 0), mark);
}

}  // namespace cohort::mpi
