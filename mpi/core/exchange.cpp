// SPDX-License-Identifier: Apache-2.0
#include "mpi/core/exchange.hpp"

#include "mpi/constants.hpp"

namespace cohort::mpi {
namespace {

std::vector<detail::Memory> memories(const auto& pieces) {
  std::vector<detail::Memory> memories;
  memories.reserve(pieces.size());
  for (const auto& piece : pieces)
    memories.push_back({const_cast<std::byte*>(piece.data), static_cast<Count>(piece.size)});
  return memories;
}

}  // namespace

void Exchange::send(int peer, const ConstPieces& data) {
  if (peer != abi::proc_null) sends_.emplace_back(peer, data);
}

void Exchange::receive(int peer, const Pieces& memory) {
  if (peer != abi::proc_null) receives_.emplace_back(peer, memory);
}

std::vector<cohort::Request> Exchange::start() { return start(communicator_.all, communicator_.next_exchange()); }

// The receives first: a message that finds its receive is not copied.
std::vector<cohort::Request> Exchange::start(const cohort::Group& group, std::uint32_t number) {
  std::vector<cohort::Request> requests;
  requests.reserve(receives_.size() + sends_.size());
  detail::Letter letter;
  letter.tag = number;
  letter.as = name_;
  letter.internal = true;
  const auto start = [&](Operation operation, int peer, const std::vector<detail::Memory>& pieces) {
    letter.operation = operation;
    letter.peer = communicator_.to_runtime(peer);
    letter.memory = pieces.size() == 1 ? pieces.front() : detail::Memory{};
    letter.pieces = pieces.size() > 1 ? std::span(pieces) : std::span<const detail::Memory>();
    const bool sends = operation == Operation::send;
    requests.push_back(detail::start(detail::state_of(group), sends ? &letter : nullptr, sends ? nullptr : &letter));
  };
  for (const auto& [peer, memory] : receives_) start(Operation::receive, peer, memories(memory));
  for (const auto& [peer, data] : sends_) start(Operation::send, peer, memories(data));
  return requests;
}

}  // namespace cohort::mpi
