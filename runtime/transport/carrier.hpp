// SPDX-License-Identifier: Apache-2.0
// The first part of the contract: a carrier moves frames between this process and the others. Frames arrive whole and
// unchanged, and between any two processes in the order of their send() calls. A carrier knows nothing of messages,
// credit or groups. It never sends to itself.
#pragma once

#include <vector>

#include "runtime/time_source.hpp"
#include "runtime/transport/frame.hpp"

namespace cohort {

class Carrier {
 public:
  virtual ~Carrier() = default;

  // Takes a frame for another process. Never blocks and never fails: peer_lost() reports a later failure. Returns true
  // if the frame has left already; otherwise frame_sent() reports when it has. A frame for a lost peer is dropped, and
  // the call returns true.
  virtual bool send(Pid to, OutgoingFrame& frame) = 0;

  // Does all that can be done without waiting: sends, receives, calls the handler. `expected` is the process from which
  // the caller awaits a frame, or -1: its link is looked at first. A caller that waits for nothing passes in_passing:
  // then small frames stay held back (Batching). Returns whether anything happened.
  virtual bool poll(Pid expected) = 0;
  static constexpr Pid in_passing = -2;

  // Whether poll() will find something within the time that a sleep and a wake-up take: a peer is just reading a
  // payload here. Says so for a limited time, should the peer stop meanwhile. May take half a microsecond.
  virtual bool soon() { return false; }

  // Returns when poll() may have something to do, wake() was called (since the last wait() returned), or the limit has
  // passed.
  virtual void wait(Nanoseconds limit) = 0;
  virtual void wake() = 0;

  // Breaks the link to a process for good. Data that arrive from it are dropped, frames for it are the caller's again
  // without frame_sent(), and landings are released. The handler is not told. Does nothing if the link was lost before.
  virtual void disconnect(Pid peer) = 0;

  // Breaks the link to a process as a network does: both sides are told that they have lost each other.
  virtual void reset(Pid peer) = 0;

  // Ends all links in order. Frames that were sent have been handed to the system, and reach peers that still read.
  // Only the destructor may be called afterwards.
  virtual void close() = 0;

  // The carrier's clock: real time, or the simulation's.
  virtual Nanoseconds now() const = 0;
};

// Optional: lets one thread sleep for several carriers at once. A carrier in virtual time has no such part.
class Pollable {
 public:
  static constexpr Nanoseconds forever = Nanoseconds::max();

  // Called before each such sleep, under the rules of wait(). Adds descriptors, one of which is readable when wait()
  // would return. Returns how long the sleep may last; forever: as long as the caller likes. After the sleep, the
  // caller calls wait(0), so that the carrier notes what has arrived.
  virtual Nanoseconds before_sleep(std::vector<int>& descriptors) = 0;

 protected:
  ~Pollable() = default;
};

}  // namespace cohort
