// SPDX-License-Identifier: Apache-2.0
// Collectives in one step: every process sends each message at once to the process that needs it. These are the ones
// on intercommunicators, and those with sizes that only the root, or only a pair, knows.
#pragma once

#include <span>

#include "mpi/core/plan.hpp"

namespace cohort::mpi {

// What a process is in a collective that has a root. A member deals with the root; on an intercommunicator, processes
// on the root's side are bystanders.
enum class Role { root, member, bystander };
Role role_in(const Communicator& on, int root);  // throws Mistake(err_root)

// The rank of this process among its peers. -1 on an intercommunicator, where no process is its own peer.
inline int own_place(const Communicator& on) { return on.is_inter() ? -1 : on.rank; }

// One memory to all peers of an intercommunicator.
void send_to_all(Plan& plan, const Communicator& on, const detail::Memory& memory);

// A block to each peer, and one from each. `sent` is in place: what the blocks hold at the start.
void exchange_blocks(Plan& plan, const Communicator& on, std::span<const Data> sent, std::span<const Data> received,
                     bool in_place);

}  // namespace cohort::mpi
