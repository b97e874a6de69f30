// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/inter_reductions.hpp"

#include <cstring>

#include "mpi/core/mistake.hpp"
#include "mpi/core/one_step.hpp"

namespace cohort::mpi {
namespace {

// Combines the operands in the order of their ranks, from the last one on. They are used up.
void combine(const ReductionOfType& by, std::span<std::byte* const> operands, const detail::Memory& result) {
  if (operands.size() == 1) std::memcpy(result.data, operands[0], static_cast<std::size_t>(result.count));
  const auto elements = static_cast<std::size_t>(result.count) / by.element_bytes;
  std::byte* right = operands.back();
  for (std::size_t rank = operands.size() - 1; rank-- > 0;) {
    std::byte* const target = rank == 0 ? result.data : right;
    by.reduction.apply(by.reduction.operation.get(), operands[rank], right, target, elements);
    right = target;
  }
}

// Receives an operand from each process of the remote side, and combines the part of them, `skipped` bytes from their
// begin, that becomes the result.
void receive_and_combine(Plan& plan, const Communicator& on, const ReductionOfType& by, Count operand_bytes,
                         Count skipped, const Data& result) {
  std::vector<std::byte*> operands;
  for (int peer = 0; peer < on.peers(); ++peer) {
    const detail::Memory operand = plan.space(operand_bytes);
    plan.receive(peer, operand);
    operands.push_back(operand.count == 0 ? nullptr : operand.data + skipped);
  }
  const detail::Memory memory = plan.writes(result);
  if (memory.count == 0) return;
  plan.then = [by, operands = std::move(operands), memory] { combine(by, operands, memory); };
}

}  // namespace

Plan inter_reduce(const char* name, const Operands& operands, Count count, int root, Communicator& on) {
  const Role role = role_in(on, root);
  Plan plan(name, on);
  if (role == Role::member) plan.send(root, operands.sent(count));
  if (role == Role::root) {
    const Data result = operands.received(count);
    receive_and_combine(plan, on, operands.reduction(), result.bytes(), 0, result);
  }
  return plan;
}

Plan inter_allreduce(const char* name, const Operands& operands, Count count, Communicator& on) {
  Plan plan(name, on);
  send_to_all(plan, on, plan.reads(operands.sent(count)));
  const Data result = operands.received(count);
  receive_and_combine(plan, on, operands.reduction(), result.bytes(), 0, result);
  return plan;
}

// Where parts differ, only the other side knows its own: then each process there gets the whole vector.
Plan inter_reduce_scatter(const char* name, const Operands& operands, Count count, Count first, Count own, bool equal,
                          Communicator& on) {
  Plan plan(name, on);
  const detail::Memory vector = plan.reads(operands.sent(count));
  const Data result = operands.received(own);
  if (!equal) {
    send_to_all(plan, on, vector);
    const auto element_bytes = static_cast<Count>(operands.reduction().element_bytes);
    receive_and_combine(plan, on, operands.reduction(), vector.count, first * element_bytes, result);
    return plan;
  }
  check(count % on.peers() == 0, abi::err_count,
        "recvcount times the size of the local group must be the same as on the remote side");
  const Count part = vector.count / on.peers();
  for (int peer = 0; peer < on.peers(); ++peer) plan.send(peer, detail::Memory{vector.data + peer * part, part});
  receive_and_combine(plan, on, operands.reduction(), result.bytes(), 0, result);
  return plan;
}

}  // namespace cohort::mpi
