// SPDX-License-Identifier: Apache-2.0
// Collectives with a root that move data.
#include "mpi/core/collectives.hpp"
#include "mpi/core/one_step.hpp"

namespace cohort::mpi {
namespace {

// The arguments for one buffer, of which it depends on the rank whether they have a meaning.
struct Arguments {
  const void* buffer;
  Count count;
  Datatype* type;

  bool in_place() const { return buffer == mpi::in_place; }
  Data data(const char* name) const { return data_at(buffer, count, type, name); }
};

// `blocks`: makes the root's blocks, one for each peer.
template <class MakeBlocks>
Plan gather_in_one_step(const char* name, const Arguments& sent, int root, Communicator& on, const MakeBlocks& blocks) {
  Plan plan(name, on);
  const Role role = role_in(on, root);
  if (role == Role::member) plan.send(root, sent.data("sendbuf"));
  if (role != Role::root) return plan;
  const std::vector<Data> to = blocks();
  const int own = own_place(on);
  for (int peer = 0; peer < on.peers(); ++peer) {
    const Data& block = to[static_cast<std::size_t>(peer)];
    if (peer != own) plan.receive(peer, block);
    if (peer == own && !sent.in_place()) plan.copy(sent.data("sendbuf"), block);
  }
  return plan;
}

template <class MakeBlocks>
Plan scatter_in_one_step(const char* name, const Arguments& received, int root, Communicator& on,
                         const MakeBlocks& blocks) {
  Plan plan(name, on);
  const Role role = role_in(on, root);
  if (role == Role::member) plan.receive(root, received.data("recvbuf"));
  if (role != Role::root) return plan;
  const std::vector<Data> from = blocks();
  const int own = own_place(on);
  for (int peer = 0; peer < on.peers(); ++peer) {
    const Data& block = from[static_cast<std::size_t>(peer)];
    if (peer != own) plan.send(peer, block);
    if (peer == own && !received.in_place()) plan.copy(block, received.data("recvbuf"));
  }
  return plan;
}

}  // namespace

Plan plan_bcast(const char* name, void* buffer, Count count, Datatype& type, int root, Communicator& on) {
  const Role role = role_in(on, root);
  const Data data = role == Role::bystander ? Data{} : data_at(buffer, count, &type, "buffer");
  if (on.is_inter()) {
    Plan plan(name, on);
    if (role == Role::root) send_to_all(plan, on, plan.reads(data));
    if (role == Role::member) plan.receive(root, data);
    return plan;
  }
  Plan plan(name, on, Operation::bcast);
  plan.call.root = root;
  plan.call.output = role == Role::root ? plan.reads(data) : plan.writes(data);
  return plan;
}

Plan plan_gather(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                 Count recvcount, Datatype* recvtype, int root, Communicator& on) {
  const Arguments sent{sendbuf, sendcount, sendtype};
  const auto block = [&] { return data_at(recvbuf, recvcount, recvtype, "recvbuf"); };
  if (on.is_inter()) return gather_in_one_step(name, sent, root, on, [&] { return equal_blocks(block(), on.peers()); });
  const bool is_root = role_in(on, root) == Role::root;
  Plan plan(name, on, Operation::gather);
  plan.call.root = root;
  if (!is_root) {
    plan.call.input = plan.reads(sent.data("sendbuf"));
    return plan;
  }
  const Data all = block().times(on.size);
  const Data own = all.part(root * recvcount, recvcount);
  plan.call.output = plan.writes(all);
  if (sent.in_place()) {
    plan.call.input = plan.reads_copy({&own, 1});
    return plan;
  }
  const Data data = sent.data("sendbuf");
  check_same_bytes(data.bytes(), own.bytes());
  plan.call.input = plan.reads(data);
  return plan;
}

Plan plan_gatherv(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                  Numbers recvcounts, Numbers displs, Datatype* recvtype, int root, Communicator& on) {
  return gather_in_one_step(name, {sendbuf, sendcount, sendtype}, root, on,
                            [&] { return blocks_at(recvbuf, recvcounts, displs, recvtype, on.peers(), "recvbuf"); });
}

Plan plan_scatter(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                  Count recvcount, Datatype* recvtype, int root, Communicator& on) {
  const Arguments received{recvbuf, recvcount, recvtype};
  const auto block = [&] { return data_at(sendbuf, sendcount, sendtype, "sendbuf"); };
  if (on.is_inter())
    return scatter_in_one_step(name, received, root, on, [&] { return equal_blocks(block(), on.peers()); });
  const bool is_root = role_in(on, root) == Role::root;
  Plan plan(name, on, Operation::scatter);
  plan.call.root = root;
  if (!is_root) {
    plan.call.output = plan.writes(received.data("recvbuf"));
    return plan;
  }
  const Data one = block();
  plan.call.input = plan.reads(one.times(on.size));
  if (received.in_place()) {
    plan.call.output = plan.space(one.bytes());
    return plan;
  }
  const Data data = received.data("recvbuf");
  check_same_bytes(one.bytes(), data.bytes());
  plan.call.output = plan.writes(data);
  return plan;
}

Plan plan_scatterv(const char* name, const void* sendbuf, Numbers sendcounts, Numbers displs, Datatype* sendtype,
                   void* recvbuf, Count recvcount, Datatype* recvtype, int root, Communicator& on) {
  return scatter_in_one_step(name, {recvbuf, recvcount, recvtype}, root, on,
                             [&] { return blocks_at(sendbuf, sendcounts, displs, sendtype, on.peers(), "sendbuf"); });
}

}  // namespace cohort::mpi
