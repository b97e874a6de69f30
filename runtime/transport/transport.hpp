// SPDX-License-Identifier: Apache-2.0
// The contract between the runtime and the transports that carry its frames, in three parts: a carrier moves frames
// (carrier.hpp), landings say where payloads go (landing.hpp), and batching and liveness are optional. Every transport
// passes the suite tests/contract/.
//
// Threads. All functions are called under the runtime's lock, except wait(), before_sleep() and wake(). wait() and
// before_sleep() are called without it, by one thread at a time. That thread, the driver, is also the only one that
// calls poll(). wake() may be called by any thread at any time. The handler's functions are called only within poll()
// and send().
//
// Memory. Outgoing frames and their payloads belong to the caller. They must not change until send() returns true or
// frame_sent() is called. The handler decides where an incoming payload goes.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/transport/carrier.hpp"
#include "runtime/transport/landing.hpp"

namespace cohort {

// The events of a transport. The handler may call send() within any of these functions except peer_lost().
class FrameHandler : public Landing {
 public:
  // A frame for which send() returned false has left: it and its payload belong to the caller again.
  virtual void frame_sent(Pid to, OutgoingFrame& frame) = 0;

  // The link to a process is lost for good, or could never be made. Called once for each process. Frames for it that
  // have not left are the caller's again without frame_sent(). `cause` says what happened, for people.
  virtual void peer_lost(Pid peer, const std::string& cause) = 0;
};

// Optional: small frames in succession cost less if they leave together.
class Batching {
 public:
  // From now on the transport may hold small frames back. They leave when poll() finds nothing to do, or with flush(),
  // which any thread may call. `begins` is called within a call that holds a frame back: then flush() must follow
  // before long.
  virtual void hold_back(std::function<void()> begins) = 0;
  virtual void flush() = 0;

 protected:
  ~Batching() = default;
};

// Optional: frames that leave within the call, so that they need no owner.
class SendsAtOnce {
 public:
  // Sends a frame with this payload, of header.payload bytes, if it can leave at once. A transport with Batching may
  // hold a copy of it back. Otherwise nothing happens: then send() takes it.
  virtual bool send_at_once(Pid to, const FrameHeader& header, std::span<const ConstPiece> payload) = 0;

 protected:
  ~SendsAtOnce() = default;
};

// Optional: frames that arrive within the call. The handler is not called.
class TakesAtOnce {
 public:
  // The next frame from a process, if all of it is there. The caller may take it; otherwise poll() brings it. Both
  // functions are called by the thread that may call poll().
  enum class Look : std::uint8_t { nothing, whole_frame, poll_is_needed };
  struct Next {
    FrameHeader header;
    const std::byte* payload = nullptr;  // until take_next() or poll() is called
  };
  virtual Look look_at_next(Pid from, Next& next) = 0;
  virtual void take_next(Pid from) = 0;  // after look_at_next() has returned whole_frame

 protected:
  ~TakesAtOnce() = default;
};

// Optional: connections that take time to be made, and peers that fall silent.
class Liveness {
 public:
  // Called while no thread drives, because the process computes for long. As poll() does, continues with connections
  // that are being made, and lets new connections in or drops them. Calls no handler. Returns whether to call it again
  // before long.
  virtual bool greet() = 0;

  // The processes that do not answer: for this limit, data for them have not arrived, although they were sent again.
  // The driver asks now and then; the limit counts from the first question. A process that does not read is not among
  // them.
  virtual std::vector<Pid> silent(Nanoseconds limit) = 0;

 protected:
  ~Liveness() = default;
};

class Transport : public Carrier {
 public:
  // Called before all other functions. The driver may call it again, for another handler from then on.
  virtual void attach(FrameHandler& handler) = 0;

  // The optional parts: null if the transport has none. The answer never changes. A transport may have the
  // two that name a peer for some peers only.
  virtual Pollable* pollable() { return nullptr; }
  virtual Relocation* relocation() { return nullptr; }
  virtual Batching* batching() { return nullptr; }
  virtual SendsAtOnce* sends_at_once(Pid /*peer*/) { return nullptr; }
  virtual TakesAtOnce* takes_at_once(Pid /*peer*/) { return nullptr; }
  virtual Liveness* liveness() { return nullptr; }
};

}  // namespace cohort
