// A frame with its own copy of the payload, for transports within one program.
#pragma once

#include <vector>

#include "runtime/transport/transport.hpp"

namespace cohort {

struct Parcel {
  Pid from = 0;
  FrameHeader header;
  std::vector<std::byte> payload;
  bool farewell = false;  // not a frame: the sender has closed its transport
};

Parcel parcel_of(Pid from, const OutgoingFrame& frame);

// Tells the handler of a frame, or of a peer that is gone.
void deliver(FrameHandler& handler, const Parcel& parcel);

}  // namespace cohort
