// SPDX-License-Identifier: Apache-2.0
// The frames by which processes ask one another whether they are absent, and answer.
#pragma once

#include <cstdint>

#include "runtime/transport/frame.hpp"

namespace cohort::frames {

// The sender of the frame has waited for a while for a message from the receiver.
struct AskPresence {
  GroupId group;
  std::uint64_t tag = 0;  // of the message; in a collective, the number of the call
  Channel channel = Channel::user;
  CallKind call;            // the call in which it waits
  std::uint64_t bytes = 0;  // of that call

  static AskPresence of(const FrameHeader& header) {
    return {header.group, header.tag, header.channel, header.call, header.length};
  }
  FrameHeader header() const {
    return {.group = group, .tag = tag, .length = bytes, .kind = FrameKind::presence, .channel = channel, .call = call};
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

}  // namespace cohort::frames
