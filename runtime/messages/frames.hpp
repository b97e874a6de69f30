// SPDX-License-Identifier: Apache-2.0
// The frames of messages. Each type names its fields: `of` reads them from a header, `header` writes them, and `valid`
// checks them if not all values make sense. A valid frame may still be unexpected: its receiver checks that.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

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

// A frame that the messenger carries without reading it. What it says belongs to the machines that talk by such frames:
// presence (runtime/presence/presence_frames.hpp), failures (runtime/failures/failure_frame.hpp), and the lists of
// develop mode (runtime/develop/lists.hpp).
struct Control {
  FrameHeader header;
  std::string words{};  // the payload, of the kinds that have one
};

}  // namespace cohort::frames
