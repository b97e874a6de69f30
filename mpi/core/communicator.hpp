// SPDX-License-Identifier: Apache-2.0
// Communicators: over a group of the runtime each.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cohort/group.hpp"
#include "mpi/core/attributes.hpp"
#include "mpi/core/errhandler.hpp"
#include "mpi/core/info.hpp"
#include "mpi/core/object.hpp"
#include "mpi/core/process_group.hpp"
#include "mpi/core/topology.hpp"

namespace cohort::mpi {

class SendBuffer;

class Communicator : public Object {
 public:
  // Of an intercommunicator only.
  struct Sides {
    cohort::Group local;   // the local side alone, for collectives
    int local_first = 0;   // rank in `all` of the local side's rank 0
    int remote_first = 0;  // the same for the remote side
    int remote_size = 0;
  };

  explicit Communicator(cohort::Group runtime_group);
  Communicator(cohort::Group both, Sides of_both);
  ~Communicator() override;

  // After MPI_Init, until the program ends.
  static Communicator& world();
  static Communicator& self();

  // The runtime's group. Of an intercommunicator: both sides, first the one with the smaller first pid.
  const cohort::Group all;
  // Of an intercommunicator: of the local side.
  int size = 0;
  int rank = 0;

  const std::unique_ptr<const Sides> sides;
  bool is_inter() const { return sides != nullptr; }

  // The peers of messages: the other members, or the remote side's.
  int peers() const { return sides ? sides->remote_size : size; }
  Rank to_runtime(int peer) const { return sides ? sides->remote_first + peer : peer; }
  int from_runtime(Rank rank_in_all) const { return sides ? rank_in_all - sides->remote_first : rank_in_all; }

  std::vector<Pid> members() const;         // by rank; of an intercommunicator: of the local side
  std::vector<Pid> remote_members() const;  // of an intercommunicator

  // The number of the next Exchange (exchange.hpp) on this communicator: the same at every member. Below 2^31.
  std::uint32_t next_exchange() { return exchanges_++ & 0x7fffffff; }
  // The number of the next creation of communicators from this one, by all members: the same at every member.
  std::uint64_t next_creation() { return creations_++; }

  // A persistent collective has this group for itself: it is revoked with the communicator.
  void note_of_request(const cohort::Group& group);
  std::vector<cohort::Group> of_requests() const;  // those that still are

  Topology topology;
  Attributes attributes;
  std::string name;
  Ref<Errhandler> errhandler{&Errhandler::errors_are_fatal()};
  Info hints;                               // never a handle itself: MPI_Comm_get_info makes a copy
  std::shared_ptr<SendBuffer> send_buffer;  // MPI_Comm_attach_buffer's; null: none

  // The losses of members, as the functions of recovery.hpp see them.
  struct Losses {
    std::vector<Pid> acknowledged;        // by the program, in the order of the ranks in `all`
    std::optional<cohort::Group> living;  // the members that lived after the latest agreement
  } losses;

 private:
  std::uint32_t exchanges_ = 0;
  std::uint64_t creations_ = 0;
  std::vector<std::weak_ptr<detail::GroupState>> of_requests_;
};

// MPI_COMM_WORLD and MPI_COMM_SELF; null before MPI_Init.
Communicator* world_or_null();
Communicator* self_or_null();

// A communicator over the first n ranks of an intracommunicator. It has the parent's error handler, and nothing else of
// the parent. nullptr at the other ranks. Communicates nothing, but at least the first n ranks call it. Throws as
// check_usable() does.
Communicator* comm_of_first(Communicator& parent, int n, const char* function);

}  // namespace cohort::mpi
