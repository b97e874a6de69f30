// SPDX-License-Identifier: Apache-2.0
// Collectives without a root that move data, and the barrier.
#include "mpi/core/collectives.hpp"
#include "mpi/core/mistake.hpp"
#include "mpi/core/one_step.hpp"

namespace cohort::mpi {
namespace {

std::vector<Count> sizes_of(std::span<const Data> blocks) {
  std::vector<Count> sizes;
  sizes.reserve(blocks.size());
  for (const Data& block : blocks) sizes.push_back(block.bytes());
  return sizes;
}

// The input of a concat, whose output is set: `own` is this process's block there, `before` the bytes before it.
void contribute(Plan& plan, const void* sendbuf, Count sendcount, Datatype* sendtype, const Data& own, Count before) {
  if (sendbuf == in_place) {
    plan.in_place = true;
    plan.call.input = {plan.call.output.data + before, own.bytes()};
    plan.fill(plan.call.input.data, own);
    return;
  }
  const Data data = data_at(sendbuf, sendcount, sendtype, "sendbuf");
  check_same_bytes(data.bytes(), own.bytes());
  plan.call.input = plan.reads(data);
}

Plan concat_in_one_step(const char* name, const Data& sent, std::span<const Data> received, Communicator& on) {
  Plan plan(name, on);
  send_to_all(plan, on, plan.reads(sent));
  for (int peer = 0; peer < on.peers(); ++peer) plan.receive(peer, received[static_cast<std::size_t>(peer)]);
  return plan;
}

Plan alltoall_in_one_step(const char* name, std::span<const Data> sent, std::span<const Data> received,
                          Communicator& on, bool in_place) {
  Plan plan(name, on);
  exchange_blocks(plan, on, sent, received, in_place);
  return plan;
}

// There is no in-place form on intercommunicators: the check of the send buffer refuses it.
bool is_in_place(const void* sendbuf, const Communicator& on) { return sendbuf == in_place && !on.is_inter(); }

}  // namespace

Plan plan_barrier(const char* name, Communicator& on) {
  if (!on.is_inter()) return {name, on, Operation::sync};
  return concat_in_one_step(name, {}, std::vector<Data>(static_cast<std::size_t>(on.peers())), on);
}

Plan plan_allgather(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                    Count recvcount, Datatype* recvtype, Communicator& on) {
  const Data block = data_at(recvbuf, recvcount, recvtype, "recvbuf");
  if (on.is_inter()) {
    const Data sent = data_at(sendbuf, sendcount, sendtype, "sendbuf");
    return concat_in_one_step(name, sent, equal_blocks(block, on.peers()), on);
  }
  Plan plan(name, on, Operation::concat);
  plan.call.output = plan.writes(block.times(on.size));
  contribute(plan, sendbuf, sendcount, sendtype, block.part(on.rank * recvcount, recvcount), on.rank * block.bytes());
  return plan;
}

Plan plan_allgatherv(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                     Numbers recvcounts, Numbers displs, Datatype* recvtype, Communicator& on) {
  const std::vector<Data> blocks = blocks_at(recvbuf, recvcounts, displs, recvtype, on.peers(), "recvbuf");
  if (on.is_inter()) return concat_in_one_step(name, data_at(sendbuf, sendcount, sendtype, "sendbuf"), blocks, on);
  Plan plan(name, on, Operation::concat);
  plan.call.per_rank = !all_equal(recvcounts, on.size);
  if (plan.call.per_rank) plan.call.counts = sizes_of(blocks);
  plan.call.output = plan.writes(blocks);
  const auto rank = static_cast<std::size_t>(on.rank);
  contribute(plan, sendbuf, sendcount, sendtype, blocks[rank], bytes_of(std::span(blocks).first(rank)));
  return plan;
}

Plan plan_alltoall(const char* name, const void* sendbuf, Count sendcount, Datatype* sendtype, void* recvbuf,
                   Count recvcount, Datatype* recvtype, Communicator& on) {
  const bool in_place = is_in_place(sendbuf, on);
  const Data received = data_at(recvbuf, recvcount, recvtype, "recvbuf");
  const Data sent = in_place ? received : data_at(sendbuf, sendcount, sendtype, "sendbuf");
  if (on.is_inter()) {
    return alltoall_in_one_step(name, equal_blocks(sent, on.peers()), equal_blocks(received, on.peers()), on, false);
  }
  check_same_bytes(sent.bytes(), received.bytes());
  Plan plan(name, on, Operation::index);
  const Data all = sent.times(on.size);
  plan.call.input = in_place ? plan.reads_copy({&all, 1}) : plan.reads(all);
  plan.call.output = plan.writes(received.times(on.size));
  return plan;
}

Plan plan_alltoallv(const char* name, const void* sendbuf, Numbers sendcounts, Numbers sdispls, Datatype* sendtype,
                    void* recvbuf, Numbers recvcounts, Numbers rdispls, Datatype* recvtype, Communicator& on) {
  const bool in_place = is_in_place(sendbuf, on);
  const std::vector<Data> received = blocks_at(recvbuf, recvcounts, rdispls, recvtype, on.peers(), "recvbuf");
  const std::vector<Data> sent =
      in_place ? received : blocks_at(sendbuf, sendcounts, sdispls, sendtype, on.peers(), "sendbuf");
  if (on.is_inter()) return alltoall_in_one_step(name, sent, received, on, false);
  const auto rank = static_cast<std::size_t>(on.rank);
  check_same_bytes(sent[rank].bytes(), received[rank].bytes());
  Plan plan(name, on, Operation::index);
  plan.call.per_rank = true;
  plan.call.counts = sizes_of(sent);
  plan.call.receive_counts = sizes_of(received);
  plan.call.input = in_place ? plan.reads_copy(sent) : plan.reads(sent);
  plan.call.output = plan.writes(received);
  return plan;
}

// With a type for each block, data are seldom one piece of memory: messages can leave in pieces, without a copy.
Plan plan_alltoallw(const char* name, const void* sendbuf, Numbers sendcounts, Numbers sdispls,
                    std::span<Datatype* const> sendtypes, void* recvbuf, Numbers recvcounts, Numbers rdispls,
                    std::span<Datatype* const> recvtypes, Communicator& on) {
  const bool in_place = is_in_place(sendbuf, on);
  const std::vector<Data> received = blocks_at(recvbuf, recvcounts, rdispls, recvtypes, on.peers(), "recvbuf");
  const std::vector<Data> sent =
      in_place ? received : blocks_at(sendbuf, sendcounts, sdispls, sendtypes, on.peers(), "sendbuf");
  return alltoall_in_one_step(name, sent, received, on, in_place);
}

}  // namespace cohort::mpi
