// The contract between the runtime and whatever carries its frames. tests/contract/ is the suite that every transport
// passes.
//
// A transport moves frames between this process and the others: whole, unchanged, and between any two processes in the
// order in which they were given to send(). It knows nothing of messages, credit or groups. It never sends to itself.
//
// Threads. send(), poll(), close() and the handler's functions are called under the runtime's lock. wait() is called
// without it, by one thread at a time, and that thread is also the only one to call poll(): the driver. wake() may be
// called by any thread at any time. Handler functions are called from within poll() and send() only, never from wait().
//
// Memory. Outgoing frames and their payload belong to the caller; they stay as they are until send() returns true or
// the handler's frame_sent() is called. Where an incoming payload goes, the handler says.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "runtime/transport/frame.hpp"

namespace cohort {

using Nanoseconds = std::chrono::nanoseconds;

// Memory that the payload of the next message is likely to go to; of no size: there is none.
struct Guess {
  Piece memory;
  const std::byte* before = nullptr;  // what it holds, to be put back where that payload is not; nullptr: need not be
};

// What a transport tells. The handler may call send() from within any of these but peer_lost().
class FrameHandler {
 public:
  virtual ~FrameHandler() = default;

  // The header of a frame has arrived. Fills `landing` with memory for exactly header.payload bytes, which stays valid
  // until frame_ends() or peer_lost(). Returns false if the frame makes no sense: the transport then fails the link.
  virtual bool frame_begins(Pid from, const FrameHeader& header, Pieces& landing) = 0;

  // Memory of `least` bytes or more, of which `most` are wanted. The transport may write there before it asks
  // frame_begins(), whatever that says then, and puts back what is to be put back before it says frame_ends(). All of
  // it stays valid until the call to the transport returns.
  virtual Guess likely_landing(Pid, std::size_t /*least*/, std::size_t /*most*/) { return {}; }

  // Its payload is in place.
  virtual void frame_ends(Pid from, const FrameHeader& header) = 0;

  // A frame for which send() returned false has left: it and its payload belong to the caller again.
  virtual void frame_sent(Pid to, OutgoingFrame& frame) = 0;

  // The link to a process is gone for good, or could never be made. Called once for a process; frames for it that were
  // not yet sent are the caller's again without frame_sent(). `cause` says what happened, for people.
  virtual void peer_lost(Pid peer, const std::string& cause) = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;

  // Called before everything else; again, by the driver, if another handler is to be told from then on.
  virtual void attach(FrameHandler& handler) = 0;

  // Takes a frame for another process. Never blocks and never fails: what goes wrong later is told through peer_lost().
  // Returns true if the frame has left already; otherwise frame_sent() says when it has.
  // A frame for a peer that is lost is dropped; the call returns true.
  virtual bool send(Pid to, OutgoingFrame& frame) = 0;

  // Allows it to keep small frames that follow one another for a while, since they cost less together. They leave when
  // poll() finds nothing to do, at the latest with flush(), which may be called under the lock by any thread: `begins`,
  // called from within send(), says that it has to be before long.
  virtual void hold_back(std::function<void()> /*begins*/) {}
  virtual void flush() {}

  // Does what can be done without waiting: sends, receives, calls the handler. `expected` is the process from which the
  // caller waits for a frame, or -1: it is looked at first. A caller that waits for nothing says in_passing: then small
  // frames are kept as before. Returns whether anything happened.
  virtual bool poll(Pid expected) = 0;
  static constexpr Pid in_passing = -2;

  // For a process that is elsewhere for long: goes on with connections that are being made, and lets in, or drops,
  // whoever connects, as poll() and wait() do, and calls
  // no handler. Under the lock, while there is no driver. Returns whether it is to be called again before long.
  virtual bool greet() { return false; }

  // Returns when poll() may have something to do, wake() was called (since the last wait() returned), or the limit has
  // passed.
  virtual void wait(Nanoseconds limit) = 0;
  virtual void wake() = 0;

  // Breaks the link to a process, for good: what arrives from it is dropped, frames for it are the caller's again
  // without frame_sent(), landings are let go of. The handler is not told. Nothing happens if the link was lost before.
  virtual void sever(Pid peer) = 0;

  // Lets go of memory that its owner needs back. A frame on its way out (send() returned false, and it was not yet told
  // as sent) is the caller's again; `copy`, a frame with the same header and payload, leaves in its place.
  virtual void replace(Pid to, OutgoingFrame& frame, OutgoingFrame& copy) = 0;
  // What is still to come of the payload that is arriving from a process goes to this memory, which is as large as the
  // one that was given.
  virtual void redirect(Pid from, const Pieces& landing) = 0;

  // Breaks the link to a process as a network does: both sides are told that they have lost each other.
  virtual void reset(Pid peer) = 0;

  // The processes that do not answer: what was sent to them has not arrived for this limit, though it was tried again.
  // To be asked now and then, by the driver: it counts from when it was first asked. A process that does not read is
  // none of them.
  virtual std::vector<Pid> silent(Nanoseconds /*limit*/) { return {}; }

  // Ends all links in order: the frames that were sent have been handed to the system, and reach peers that still read.
  // Nothing of the transport but its destructor is called afterwards.
  virtual void close() = 0;

  // The transport's clock: real time, or the simulation's.
  virtual Nanoseconds now() const = 0;
};

}  // namespace cohort
