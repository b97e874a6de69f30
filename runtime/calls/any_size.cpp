// SPDX-License-Identifier: Apache-2.0
// Messages whose sizes only the sender knows.
#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>
#include <vector>

#include "cohort/any_size.hpp"
#include "runtime/calls/matched_message.hpp"
#include "runtime/calls/pending.hpp"
#include "runtime/calls/where.hpp"
#include "runtime/groups/group_state.hpp"

namespace cohort {
namespace detail {

namespace {

// The sender may have sent more than this process has memory for, or say that it has. Then nothing.
std::optional<Memory> make(const Room& room, Count count) {
  try {
    return room.make(room.data, count);
  } catch (const std::bad_alloc&) {
    return std::nullopt;
  } catch (const std::length_error&) {  // more than a container ever has
    return std::nullopt;
  }
}

// Drops the message, so that its sender and later messages go on.
[[noreturn]] void refuse(const GroupPointer& group, MatchedMessage&& message, const Letter& nowhere) {
  const Rank source = message.source();
  const auto bytes = message.bytes();
  try {
    start(group, std::move(message), nowhere).wait();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::truncated) throw;
  }
  const Pid sender = group->members().pid_of(source);
  const Fault fault{ErrorCode::internal,
                    fmt::format("no memory for the {} bytes that {} sent", bytes, group->describe(sender))};
  throw error_of_call(*group, fault, nowhere.operation, std::nullopt, sender, place_of(nowhere));
}

}  // namespace

std::optional<Received> run(const GroupPointer& group, const Letter& letter, Patience patience, const Room& room) {
  std::optional<MatchedMessage> message =
      patience == Patience::waits ? wait_and_take(group, letter) : take_message(group, letter);
  if (!message) return std::nullopt;
  const auto element = static_cast<Count>(letter.element_bytes);
  Letter filled = letter;
  // An element that has not arrived as a whole has room, too: the receive says what is wrong with it.
  const std::optional<Memory> memory =
      make(room, message->bytes() / element + (message->bytes() % element != 0 ? 1 : 0));
  if (!memory) refuse(group, std::move(*message), filled);
  filled.memory = *memory;
  Request request = start(group, std::move(*message), filled);
  request.wait();
  return Received{request.source(), request.received(), static_cast<std::uint32_t>(request.tag())};
}

std::vector<Memory> memory_of_blocks(Memory first, Count blocks, Count stride_bytes) {
  std::vector<Memory> memory(static_cast<std::size_t>(std::max<Count>(blocks, 0)), first);
  Count distance = 0;
  for (Memory& block : memory) {
    block.data += distance;
    distance += stride_bytes;
  }
  return memory;
}

void move_parts(const GroupPointer& group, const std::vector<Part>& out, const std::vector<Part>& in,
                const Letter& letter) {
  std::vector<Request> requests;
  const auto add = [&](const Part& part, Operation operation) {
    if (part.memory.count == 0) return;
    Letter one = letter;
    one.operation = operation;
    one.memory = part.memory;
    one.peer = part.peer;
    one.internal = true;
    const bool sends = operation == Operation::send;
    requests.push_back(start(group, sends ? &one : nullptr, sends ? nullptr : &one));
  };
  for (const Part& part : in) add(part, Operation::receive);
  for (const Part& part : out) add(part, Operation::send);
  wait_all(requests);
}

}  // namespace detail

std::vector<Count> AnySize::gathered_counts(Count mine, Rank root, Where where) const {
  return gather(mine, root, where);
}

std::vector<Count> AnySize::all_counts(Count mine, Where where) const { return concat(mine, where); }

std::vector<Count> AnySize::exchanged_counts(const std::vector<Count>& sent, Where where) const {
  std::vector<Count> received(static_cast<std::size_t>(size()));
  index(sent, received, where);
  return received;
}

Count AnySize::scattered_count(const std::vector<Count>& counts, Rank root, Where where) const {
  return scatter(counts, root, where);
}

std::string AnySize::scattered_bytes(const std::vector<std::string>& parts, Rank root, Where where) const {
  const std::vector<char> mine = scatter_all(parts, root, where);
  return {mine.begin(), mine.end()};
}

std::string AnySize::received_bytes(Rank from, Tag tag, Where where) const {
  return receive<std::string>(from, tag, where);
}

void AnySize::bcast_bytes(std::string& bytes, Rank root, Where where) const {
  Count size = static_cast<Count>(bytes.size());
  bcast(size, root, where);
  bytes.resize(static_cast<std::size_t>(size));
  bcast(bytes, root, where);
}

}  // namespace cohort
