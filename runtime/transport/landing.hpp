// The second part of the contract: landings say where payloads go, and where they stay while they are under way.
#pragma once

#include "runtime/transport/frame.hpp"

namespace cohort {

// Memory that the payload of the next message is likely to go to; of no size: there is none.
struct Guess {
  Piece memory;
  const std::byte* before = nullptr;  // what it holds, to be put back where that payload is not; nullptr: need not be
};

// The receiver's side: what a transport asks when a frame arrives.
class Landing {
 public:
  virtual ~Landing() = default;

  // The header of a frame has arrived. Fills `landing` with memory for exactly header.payload bytes, which stays valid
  // until frame_ends() or peer_lost(). Returns false if the frame makes no sense: the transport then fails the link.
  virtual bool frame_begins(Pid from, const FrameHeader& header, Pieces& landing) = 0;

  // Memory of `least` bytes or more, of which `most` are wanted. The transport may write there before it asks
  // frame_begins(), whatever that says then, and puts back what is to be put back before it says frame_ends(). All of
  // it stays valid until the call to the transport returns.
  virtual Guess likely_landing(Pid, std::size_t /*least*/, std::size_t /*most*/) { return {}; }

  // Its payload is in place.
  virtual void frame_ends(Pid from, const FrameHeader& header) = 0;
};

// The transport's side, optional: lets go of memory that its owner needs back. A transport has none if frames leave at
// once and arrive at once: nothing is ever under way.
class Relocation {
 public:
  // A frame on its way out (send() returned false, and it was not yet told as sent) is the caller's again; `copy`, a
  // frame with the same header and payload, leaves in its place.
  virtual void replace(Pid to, OutgoingFrame& frame, OutgoingFrame& copy) = 0;

  // The rest of the payload that is arriving from a process goes to this memory, which is as large as the memory that
  // was given before.
  virtual void redirect(Pid from, const Pieces& landing) = 0;

 protected:
  ~Relocation() = default;
};

}  // namespace cohort
