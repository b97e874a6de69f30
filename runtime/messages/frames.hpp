// SPDX-License-Identifier: Apache-2.0
// The frames that the runtime sends: a closed set of types. Each type names its fields: `of` reads them from a header,
// `header` writes them, and `valid` checks them if not all values make sense. A valid frame may still be unexpected:
// the messenger, or the receiver of a control frame, checks that.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>

#include "cohort/error.hpp"
#include "runtime/messages/match_table.hpp"
#include "runtime/transport/frame.hpp"

namespace cohort::frames {

// The start of a message: the whole message, or the part that fits into the receiver's credit.
struct Message {
  static constexpr std::uint64_t longest = std::numeric_limits<std::ptrdiff_t>::max();  // no memory is larger

  Envelope envelope;
  CallKind call;
  std::uint64_t length = 0;    // bytes of the whole message
  std::uint32_t transfer = 0;  // the sender's number of a message that waits to be pulled; 0: it is here whole
  std::uint32_t payload = 0;   // bytes of this part

  static Message of(const FrameHeader& header) {
    return {{header.group, header.tag, header.channel}, header.call, header.length, header.transfer, header.payload};
  }
  FrameHeader header() const {
    return {.group = envelope.group,
            .tag = envelope.tag,
            .length = length,
            .transfer = transfer,
            .payload = payload,
            .kind = FrameKind::message,
            .channel = envelope.channel,
            .call = call};
  }
  bool valid() const { return length <= longest && (transfer == 0 ? payload == length : payload <= length); }
};

// A part of the rest of a message.
struct Data {
  std::uint32_t transfer = 0;  // the sender's number of the message
  std::uint64_t length = 0;    // bytes of the whole message
  std::uint64_t offset = 0;    // the part's place in the message
  std::uint32_t payload = 0;   // bytes of this part

  static Data of(const FrameHeader& header) { return {header.transfer, header.length, header.offset, header.payload}; }
  FrameHeader header() const {
    return {.length = length, .offset = offset, .transfer = transfer, .payload = payload, .kind = FrameKind::data};
  }
  bool valid() const { return offset <= length && payload <= length - offset; }
};

// The receiver's answer to a message that waits to be pulled: send the rest, or drop it.
struct Answer {
  std::uint32_t transfer = 0;
  bool wanted = true;

  static Answer of(const FrameHeader& header) { return {header.transfer, header.kind == FrameKind::pull}; }
  FrameHeader header() const { return {.transfer = transfer, .kind = wanted ? FrameKind::pull : FrameKind::discard}; }
};

// The receiver has read what was sent on credit. Each header carries that; this one nothing else.
struct Credit {
  FrameHeader header() const { return {.kind = FrameKind::credit}; }
};

// In develop mode: the line that sends the next message. The payload is its words.
struct Note {
  std::uint64_t sent_after = 0;  // the number of collectives of both

  static Note of(const FrameHeader& header) { return {header.tag}; }
  FrameHeader header() const { return {.tag = sent_after, .kind = FrameKind::note}; }
};

// Control frames: the messenger carries them without reading them.

// The sender of the frame has waited for a while for a message from the receiver.
struct AskPresence {
  Envelope envelope;
  CallKind call;            // the call in which it waits
  std::uint64_t bytes = 0;  // of that call

  static AskPresence of(const FrameHeader& header) {
    return {{header.group, header.tag, header.channel}, header.call, header.length};
  }
  FrameHeader header() const {
    return {.group = envelope.group,
            .tag = envelope.tag,
            .length = bytes,
            .kind = FrameKind::presence,
            .channel = envelope.channel,
            .call = call};
  }
};

// The sender will neither send nor receive in this group any more.
struct Absence {
  GroupId group;
  bool left_job = false;

  static Absence of(const FrameHeader& header) { return {header.group, header.tag != 0}; }
  FrameHeader header() const {
    return {.group = group, .tag = left_job ? std::uint64_t{1} : 0, .kind = FrameKind::absence};
  }
};

// The group has failed at the sender.
struct GroupFailure {
  GroupId group;
  ErrorCode code = ErrorCode::internal;
  Pid culprit = -1;           // whose mistake it is; -1: the sender does not say
  std::optional<Pid> dead{};  // the dead process, if a death is the cause
  bool only_we_know = false;  // among the members: the receiver tells the others
  std::string cause{};        // in words

  static GroupFailure of(const FrameHeader& header) {
    GroupFailure failure{header.group, static_cast<ErrorCode>(header.tag), static_cast<Pid>(header.offset)};
    if (header.transfer != 0) failure.dead = static_cast<Pid>(header.transfer - 1);
    failure.only_we_know = header.length != 0;
    return failure;
  }
  FrameHeader header() const {
    return {.group = group,
            .tag = static_cast<std::uint64_t>(code),
            .length = only_we_know ? std::uint64_t{1} : 0,
            .offset = static_cast<std::uint32_t>(culprit),
            .transfer = dead ? static_cast<std::uint32_t>(*dead) + 1 : 0,
            .kind = FrameKind::failure};
  }
  static bool valid(const FrameHeader& header, std::size_t processes) {
    return header.tag <= static_cast<std::uint64_t>(ErrorCode::internal) && header.transfer <= processes;
  }
};

// In develop mode: the sender has called group() with a list that contains the receiver. `words` describe the call.
// Without words, the sender waits in that call for the receiver.
struct ListCall {
  GroupId setup;
  std::string words{};

  static ListCall of(const FrameHeader& header) { return {header.group}; }
  FrameHeader header() const { return {.group = setup, .kind = FrameKind::list}; }
};

using Control = std::variant<AskPresence, Absence, GroupFailure, ListCall>;

}  // namespace cohort::frames
