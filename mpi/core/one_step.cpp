// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/one_step.hpp"

#include <string>

#include "mpi/core/mistake.hpp"

namespace cohort::mpi {

Role role_in(const Communicator& on, int root) {
  if (on.is_inter() && root == abi::root) return Role::root;
  if (on.is_inter() && root == abi::proc_null) return Role::bystander;
  if (root < 0 || root >= on.peers()) {
    throw Mistake(abi::err_root, "the root is " + std::to_string(root) + ": it must be a rank from 0 to " +
                                     std::to_string(on.peers() - 1) +
                                     (on.is_inter() ? " of the remote group, MPI_ROOT or MPI_PROC_NULL" : ""));
  }
  return root == own_place(on) ? Role::root : Role::member;
}

void send_to_all(Plan& plan, const Communicator& on, const detail::Memory& memory) {
  for (int peer = 0; peer < on.peers(); ++peer) plan.send(peer, memory);
}

void exchange_blocks(Plan& plan, const Communicator& on, std::span<const Data> sent, std::span<const Data> received,
                     bool in_place) {
  const int own = own_place(on);
  const int peers = on.peers();
  // Each begins with the process after it, so that not all send to the same one first. Both ends know empty blocks.
  for (int distance = 1; distance <= peers; ++distance) {
    const int to = (on.rank + distance) % peers;
    const int from = (on.rank % peers + peers - distance % peers) % peers;
    const Data& out = sent[static_cast<std::size_t>(to)];
    const Data& in = received[static_cast<std::size_t>(from)];
    if (from != own && in.bytes() > 0) plan.receive(from, in);
    if (to == own || out.bytes() == 0) continue;
    in_place ? plan.send(to, plan.reads_copy({&out, 1})) : plan.send(to, out);
  }
  if (own >= 0 && !in_place) plan.copy(sent[static_cast<std::size_t>(own)], received[static_cast<std::size_t>(own)]);
}

}  // namespace cohort::mpi
