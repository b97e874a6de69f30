// SPDX-License-Identifier: Apache-2.0
// Messages whose sizes only the sender knows.
#include <algorithm>
#include <vector>

#include "cohort/detail/message.hpp"
#include "runtime/calls/matched_message.hpp"

namespace cohort::detail {

std::optional<Received> run(const GroupPointer& group, const Letter& letter, Patience patience, const Room& room) {
  std::optional<MatchedMessage> message =
      patience == Patience::waits ? wait_and_take(group, letter) : take_message(group, letter);
  if (!message) return std::nullopt;
  const auto element = static_cast<Count>(letter.element_bytes);
  Letter filled = letter;
  // An element that has not arrived as a whole has room, too: the receive says what is wrong with it.
  filled.memory = room((message->bytes() + element - 1) / element);
  Request request = start(group, std::move(*message), filled);
  request.wait();
  return Received{request.source(), request.received(), static_cast<std::uint32_t>(request.tag())};
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

}  // namespace cohort::detail
