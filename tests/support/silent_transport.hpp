// SPDX-License-Identifier: Apache-2.0
// A transport that says nothing, and forgets what is sent.
#pragma once

#include "runtime/transport/transport.hpp"

namespace cohort::testing {

class SilentTransport : public Transport, protected Relocation {
 public:
  void attach(FrameHandler&) override {}
  bool send(Pid, OutgoingFrame&) override { return true; }
  bool poll(Pid) override { return false; }
  void wait(Nanoseconds) override {}
  void wake() override {}
  void disconnect(Pid) override {}
  void reset(Pid) override {}
  void close() override {}
  Nanoseconds now() const override { return {}; }
  Relocation* relocation() override { return this; }

 protected:
  void replace(Pid, OutgoingFrame&, OutgoingFrame&) override {}
  void redirect(Pid, const Pieces&) override {}
};

}  // namespace cohort::testing
