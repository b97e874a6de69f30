// SPDX-License-Identifier: Apache-2.0
// Finds messages before they are received, for other interfaces (MPI's probes). A letter of Operation::receive or
// receive_any says which; its memory is not used. All functions throw Error.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cohort/detail/message.hpp"

namespace cohort::detail {

// A message that has been taken out of the queue: no other receive or probe finds it. Move-only.
class MatchedMessage {
 public:
  MatchedMessage(Received what, std::uint64_t number) : what_(what), number_(number) {}
  MatchedMessage(MatchedMessage&&) = default;
  MatchedMessage& operator=(MatchedMessage&&) = default;

  Rank source() const { return what_.source; }
  std::uint32_t tag() const { return what_.tag; }
  Count bytes() const { return what_.count; }
  std::uint64_t number() const { return number_; }  // for start()

 private:
  Received what_;
  std::uint64_t number_ = 0;
};

using GroupPointer = Shared<GroupState>;

// The message that such a receive would meet now: its source, its length in bytes, its tag. Makes progress, never
// waits.
std::optional<Received> probe(const GroupPointer& group, const Letter& letter);

// The same, and take the message.
std::optional<MatchedMessage> take_message(const GroupPointer& group, const Letter& letter);
MatchedMessage wait_and_take(const GroupPointer& group, const Letter& letter);

// Receives a taken message into the letter's memory.
Request start(const GroupPointer& group, MatchedMessage&& message, const Letter& letter);

}  // namespace cohort::detail
