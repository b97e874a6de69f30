// SPDX-License-Identifier: Apache-2.0
// A transport that belongs to somebody else, where one is to be owned.
#pragma once

#include "runtime/transport/transport.hpp"

namespace cohort::testing {

class Borrowed : public Transport {
 public:
  explicit Borrowed(Transport& transport) : transport_(transport) {}
  void attach(FrameHandler& handler) override { transport_.attach(handler); }
  bool send(Pid to, OutgoingFrame& frame) override { return transport_.send(to, frame); }
  bool poll(Pid expected) override { return transport_.poll(expected); }
  bool soon() override { return transport_.soon(); }
  void wait(Nanoseconds limit) override { transport_.wait(limit); }
  void wake() override { transport_.wake(); }
  void disconnect(Pid peer) override { transport_.disconnect(peer); }
  void reset(Pid peer) override { transport_.reset(peer); }
  void close() override { transport_.close(); }
  Nanoseconds now() const override { return transport_.now(); }
  Pollable* pollable() override { return transport_.pollable(); }
  Relocation* relocation() override { return transport_.relocation(); }
  Batching* batching() override { return transport_.batching(); }
  SendsAtOnce* sends_at_once(Pid peer) override { return transport_.sends_at_once(peer); }
  TakesAtOnce* takes_at_once(Pid peer) override { return transport_.takes_at_once(peer); }
  Liveness* liveness() override { return transport_.liveness(); }

 private:
  Transport& transport_;
};

}  // namespace cohort::testing
