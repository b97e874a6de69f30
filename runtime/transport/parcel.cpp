// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/parcel.hpp"

#include <cstring>

namespace cohort {

Parcel parcel_of(Pid from, const OutgoingFrame& frame) {
  Parcel parcel;
  parcel.from = from;
  parcel.header = frame.header;
  parcel.payload.reserve(frame.header.payload);
  for (const ConstPiece& piece : frame.payload)
    parcel.payload.insert(parcel.payload.end(), piece.data, piece.data + piece.size);
  return parcel;
}

void deliver(FrameHandler& handler, const Parcel& parcel) {
  if (!parcel.farewell.empty()) return handler.peer_lost(parcel.from, parcel.farewell);
  Pieces landing;
  if (!handler.frame_begins(parcel.from, parcel.header, landing)) {
    return handler.peer_lost(parcel.from, "it sent a frame that makes no sense");
  }
  const std::byte* from = parcel.payload.data();
  for (const Piece& piece : landing) {
    if (piece.size > 0) std::memcpy(piece.data, from, piece.size);
    from += piece.size;
  }
  handler.frame_ends(parcel.from, parcel.header);
}

}  // namespace cohort
