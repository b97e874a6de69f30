// The contract between the runtime and whatever carries its frames, in three parts: a carrier moves frames
// (carrier.hpp), landings say where payloads go (landing.hpp), and batching and liveness are optional. tests/contract/
// is the suite that every transport passes.
//
// Threads. Everything is called under the runtime's lock but wait(), before_sleep() and wake(). wait() and
// before_sleep() are called without it, by one thread at a time; that thread, the driver, is also the only one to call
// poll(). wake() may be called by any thread at any time. The handler's functions are called from within poll() and
// send() only.
//
// Memory. Outgoing frames and their payload belong to the caller; they stay as they are until send() returns true or
// the handler's frame_sent() is called. Where an incoming payload goes, the handler says.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "runtime/transport/carrier.hpp"
#include "runtime/transport/landing.hpp"

namespace cohort {

// What a transport tells. The handler may call send() from within any of these but peer_lost().
class FrameHandler : public Landing {
 public:
  // A frame for which send() returned false has left: it and its payload belong to the caller again.
  virtual void frame_sent(Pid to, OutgoingFrame& frame) = 0;

  // The link to a process is gone for good, or could never be made. Called once for a process; frames for it that were
  // not yet sent are the caller's again without frame_sent(). `cause` says what happened, for people.
  virtual void peer_lost(Pid peer, const std::string& cause) = 0;
};

// Optional: small frames that follow one another cost less if they leave together.
class Batching {
 public:
  // From now on the transport may keep small frames for a while. They leave when poll() finds nothing to do, at the
  // latest with flush(), which any thread may call. `begins` is called from within send(): flush() is to be called
  // before long.
  virtual void hold_back(std::function<void()> begins) = 0;
  virtual void flush() = 0;

 protected:
  ~Batching() = default;
};

// Optional: connections that take time to be made, and peers that fall silent.
class Liveness {
 public:
  // For a process that computes for long, while there is no driver: goes on with connections that are being made, and
  // lets in, or drops, whoever connects, as poll() does. Calls no handler. Returns whether it is to be called again
  // before long.
  virtual bool greet() = 0;

  // The processes that do not answer: what was sent to them has not arrived for this limit, though it was tried again.
  // To be asked now and then, by the driver: the limit counts from the first question. A process that does not read is
  // not among them.
  virtual std::vector<Pid> silent(Nanoseconds limit) = 0;

 protected:
  ~Liveness() = default;
};

class Transport : public Carrier {
 public:
  // Called before everything else; again, by the driver, if another handler is to be told from then on.
  virtual void attach(FrameHandler& handler) = 0;

  // The optional parts: null if the transport has none. The answer never changes.
  virtual Pollable* pollable() { return nullptr; }
  virtual Relocation* relocation() { return nullptr; }
  virtual Batching* batching() { return nullptr; }
  virtual Liveness* liveness() { return nullptr; }
};

}  // namespace cohort
