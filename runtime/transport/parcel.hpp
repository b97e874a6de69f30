// SPDX-License-Identifier: Apache-2.0
// A frame with its own copy of the payload, for transports within one program.
#pragma once

#include <string>
#include <vector>

#include "runtime/transport/transport.hpp"

namespace cohort {

struct Parcel {
  Pid from = 0;
  FrameHeader header;
  std::vector<std::byte> payload;
  std::string farewell{};  // if not empty, this is no frame: the reason why the sender sends no more
};

// The values of `farewell`.
inline constexpr const char* transport_closed = "it closed its transport";
inline constexpr const char* connection_reset = "connection reset";

Parcel parcel_of(Pid from, const OutgoingFrame& frame);

// Tells the handler that a frame has arrived, or that a peer is gone.
void deliver(FrameHandler& handler, const Parcel& parcel);

}  // namespace cohort
