// SPDX-License-Identifier: Apache-2.0
// The second part of the contract: landings say where payloads go, and where payloads stay while they are in flight.
#pragma once

#include "runtime/transport/frame.hpp"

namespace cohort {

// Memory that the next message's payload is likely to go to; of size 0: there is none.
struct Guess {
  Piece memory;
  const std::byte* before = nullptr;  // its old content, to be restored where no payload lands; nullptr: no need
};

// The receiver's side: the transport's questions when a frame arrives.
class Landing {
 public:
  virtual ~Landing() = default;

  // The header of a frame has arrived. Fills `landing` with memory for exactly header.payload bytes, which stays valid
  // until frame_ends() or peer_lost(). Returns false if the frame makes no sense: then the transport fails the link.
  virtual bool frame_begins(Pid from, const FrameHeader& header, Pieces& landing) = 0;

  // Nobody wants the payload that is arriving from a process. So a transport that would have to fetch it need not.
  virtual bool discards(Pid /*from*/) { return false; }

  // Memory of at least `least` bytes, of which the transport wants `most`. The transport may write there before it
  // calls frame_begins(), no matter which landing that gives. Before it calls frame_ends(), it restores the old content
  // where that is asked for. All of the memory stays valid until the call to the transport returns.
  virtual Guess likely_landing(Pid, std::size_t /*least*/, std::size_t /*most*/) { return {}; }

  // The payload is in place.
  virtual void frame_ends(Pid from, const FrameHeader& header) = 0;

  // The same for a frame that has arrived whole, whose payload (of header.payload bytes) is in the transport's memory.
  virtual bool frame_arrived(Pid from, const FrameHeader& header, const std::byte* payload);
};

// The transport's side, optional: releases memory that its owner needs back. A transport without this part sends and
// receives frames at once, so that none is ever in flight.
class Relocation {
 public:
  // A frame that has not left yet (send() returned false, frame_sent() was not called) is the caller's again. `copy`, a
  // frame with the same header and a payload of one piece, leaves in its place.
  virtual void replace(Pid to, OutgoingFrame& frame, OutgoingFrame& copy) = 0;

  // The rest of the payload that is arriving from a process goes to this memory, which is as large as the landing that
  // was given before.
  virtual void redirect(Pid from, const Pieces& landing) = 0;

 protected:
  ~Relocation() = default;
};

}  // namespace cohort
