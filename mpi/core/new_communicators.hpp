// SPDX-License-Identifier: Apache-2.0
// How communicators are made without communication, when all of their members know the list of the members.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/core/communicator.hpp"

namespace cohort::mpi {

// Tells a group from all other groups with the same parent and the same process at rank 0. Its members have the same
// mark.
struct Mark {
  enum class Of : std::uint8_t {
    creation,    // `number`: Communicator::next_creation()
    list,        // `list`: a hash of the members and of the program's tag; `number`: how often there was such a list
    leaders,     // `list`: the pid of the leader that has chosen the number
    local_side,  // of the intercommunicator over the parent
  };
  Of of = Of::creation;
  std::uint64_t number = 0;
  std::uint64_t list = 0;
};

// The group of these members of the parent, in this order. The caller is one of them.
cohort::Group group_of(const cohort::Group& parent, std::vector<Pid> members, const Mark& mark);

// The new communicators have the error handler of `from`. The caller has their only use.
Communicator* new_intracommunicator(const Communicator& from, std::vector<Pid> members, const Mark& mark);
// The caller is in `local`. All members of both sides are members of `parent`.
Communicator* new_intercommunicator(const Communicator& from, const cohort::Group& parent,
                                    const std::vector<Pid>& local, const std::vector<Pid>& remote, const Mark& mark);

// Throws Error, which names this function of MPI, if a member is lost or the communicator is revoked.
void check_usable(const Communicator& communicator, const char* function);

}  // namespace cohort::mpi
