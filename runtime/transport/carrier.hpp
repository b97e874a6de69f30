// The first part of the contract: a carrier moves frames between this process and the others. They arrive whole,
// unchanged, and between any two processes in the order in which they were given to send(). A carrier knows nothing of
// messages, credit or groups. It never sends to itself.
#pragma once

#include <vector>

#include "runtime/time_source.hpp"
#include "runtime/transport/frame.hpp"

namespace cohort {

class Carrier {
 public:
  virtual ~Carrier() = default;

  // Takes a frame for another process. Never blocks and never fails: what goes wrong later is told through peer_lost().
  // Returns true if the frame has left already; otherwise frame_sent() says when it has.
  // A frame for a peer that is lost is dropped; the call returns true.
  virtual bool send(Pid to, OutgoingFrame& frame) = 0;

  // Does what can be done without waiting: sends, receives, calls the handler. `expected` is the process from which the
  // caller waits for a frame, or -1: it is looked at first. A caller that waits for nothing says in_passing: then small
  // frames are kept as before (Batching). Returns whether anything happened.
  virtual bool poll(Pid expected) = 0;
  static constexpr Pid in_passing = -2;

  // Returns when poll() may have something to do, wake() was called (since the last wait() returned), or the limit has
  // passed.
  virtual void wait(Nanoseconds limit) = 0;
  virtual void wake() = 0;

  // Breaks the link to a process, for good: what arrives from it is dropped, frames for it are the caller's again
  // without frame_sent(), landings are let go of. The handler is not told. Nothing happens if the link was lost before.
  virtual void sever(Pid peer) = 0;

  // Breaks the link to a process as a network does: both sides are told that they have lost each other.
  virtual void reset(Pid peer) = 0;

  // Ends all links in order: the frames that were sent have been handed to the system, and reach peers that still read.
  // Nothing but the destructor is called afterwards.
  virtual void close() = 0;

  // The carrier's clock: real time, or the simulation's.
  virtual Nanoseconds now() const = 0;
};

// Optional: how one thread sleeps for several carriers at once. A carrier in virtual time has none.
class Pollable {
 public:
  static constexpr Nanoseconds forever = Nanoseconds::max();

  // Called before each such sleep, as wait() may be. Adds descriptors: one of them is readable when wait() would
  // return. Returns how long the sleep may last; forever: as long as its caller likes. After the sleep, wait(0) lets
  // the carrier take note of what came.
  virtual Nanoseconds before_sleep(std::vector<int>& descriptors) = 0;

 protected:
  ~Pollable() = default;
};

}  // namespace cohort
