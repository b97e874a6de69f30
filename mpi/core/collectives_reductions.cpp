// SPDX-License-Identifier: Apache-2.0
// Collectives that combine elements.
#include "mpi/core/collectives.hpp"
#include "mpi/core/inter_reductions.hpp"
#include "mpi/core/mistake.hpp"
#include "mpi/core/one_step.hpp"

namespace cohort::mpi {
namespace {

// One vector, whose result has the same size here.
void vector_to_vector(Plan& plan, const Operands& operands, Count count) {
  if (operands.in_place()) {
    plan.call.input = plan.call.output = plan.updates(operands.received(count));
  } else {
    plan.call.input = plan.reads(operands.sent(count));
    plan.call.output = plan.writes(operands.received(count));
  }
}

// A vector of `count` elements, of whose result `own` come here. In place, they come to the begin of the vector.
void vector_to_part(Plan& plan, const Operands& operands, Count count, Count own) {
  plan.call.input = plan.reads(operands.reduced(count));
  const Data result = operands.received(own);
  plan.call.output = operands.in_place() ? plan.writes_copy({&result, 1}) : plan.writes(result);
}

void check_no_inter(const Communicator& on) {
  check(!on.is_inter(), abi::err_comm, "MPI_Scan and MPI_Exscan are not defined on intercommunicators");
}

}  // namespace

Plan plan_reduce(const char* name, const void* sendbuf, void* recvbuf, Count count, Datatype& type, Op& op, int root,
                 Communicator& on) {
  const Operands operands(sendbuf, recvbuf, type, op);
  if (on.is_inter()) return inter_reduce(name, operands, count, root, on);
  const bool is_root = role_in(on, root) == Role::root;
  Plan plan(name, on, Operation::reduce);
  plan.call.root = root;
  if (is_root) {
    vector_to_vector(plan, operands, count);
  } else {
    plan.call.input = plan.reads(operands.sent(count));
  }
  plan.reduce_by(operands.reduction());
  return plan;
}

Plan plan_allreduce(const char* name, const void* sendbuf, void* recvbuf, Count count, Datatype& type, Op& op,
                    Communicator& on) {
  const Operands operands(sendbuf, recvbuf, type, op);
  if (on.is_inter()) return inter_allreduce(name, operands, count, on);
  Plan plan(name, on, Operation::combine);
  vector_to_vector(plan, operands, count);
  plan.reduce_by(operands.reduction());
  return plan;
}

Plan plan_reduce_scatter_block(const char* name, const void* sendbuf, void* recvbuf, Count recvcount, Datatype& type,
                               Op& op, Communicator& on) {
  const Operands operands(sendbuf, recvbuf, type, op);
  const Count count = on.size * recvcount;
  if (on.is_inter()) return inter_reduce_scatter(name, operands, count, on.rank * recvcount, recvcount, true, on);
  Plan plan(name, on, Operation::reduce_scatter);
  vector_to_part(plan, operands, count, recvcount);
  plan.reduce_by(operands.reduction());
  return plan;
}

Plan plan_reduce_scatter(const char* name, const void* sendbuf, void* recvbuf, Numbers recvcounts, Datatype& type,
                         Op& op, Communicator& on) {
  const Operands operands(sendbuf, recvbuf, type, op);
  check(static_cast<bool>(recvcounts), abi::err_count, "recvcounts is a null pointer");
  std::vector<Count> counts;
  Count total = 0, before = 0;
  for (int rank = 0; rank < on.size; ++rank) {
    const Count count = recvcounts[static_cast<std::size_t>(rank)];
    check(count >= 0, abi::err_count, "recvcounts has a negative count");
    if (rank < on.rank) before += count;
    total += count;
    counts.push_back(count);
  }
  const Count own = counts[static_cast<std::size_t>(on.rank)];
  if (on.is_inter()) return inter_reduce_scatter(name, operands, total, before, own, false, on);
  Plan plan(name, on, Operation::reduce_scatter);
  vector_to_part(plan, operands, total, own);
  plan.call.per_rank = !all_equal(recvcounts, on.size);
  if (plan.call.per_rank) plan.call.counts = std::move(counts);
  plan.reduce_by(operands.reduction());
  return plan;
}

Plan plan_scan(const char* name, const void* sendbuf, void* recvbuf, Count count, Datatype& type, Op& op,
               Communicator& on) {
  check_no_inter(on);
  const Operands operands(sendbuf, recvbuf, type, op);
  Plan plan(name, on, Operation::prefix);
  vector_to_vector(plan, operands, count);
  plan.reduce_by(operands.reduction());
  return plan;
}

// Rank 0 has no result. Its receive buffer is not touched, and may be null.
Plan plan_exscan(const char* name, const void* sendbuf, void* recvbuf, Count count, Datatype& type, Op& op,
                 Communicator& on) {
  check_no_inter(on);
  const Operands operands(sendbuf, recvbuf, type, op);
  Plan plan(name, on, Operation::exclusive_prefix);
  if (on.rank > 0) {
    vector_to_vector(plan, operands, count);
  } else {
    const Data operand = operands.reduced(count);
    plan.call.input = plan.reads(operand);
    plan.call.output = plan.space(operand.bytes());
  }
  plan.reduce_by(operands.reduction());
  return plan;
}

}  // namespace cohort::mpi
