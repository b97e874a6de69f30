// SPDX-License-Identifier: Apache-2.0
// A handler that ignores all events, for the time of closing.
#pragma once

#include "runtime/transport/transport.hpp"

namespace cohort {

class Deaf final : public FrameHandler {
 public:
  bool frame_begins(Pid, const FrameHeader&, Pieces&) override { return false; }
  void frame_ends(Pid, const FrameHeader&) override {}
  void frame_sent(Pid, OutgoingFrame&) override {}
  void peer_lost(Pid, const std::string&) override {}
};

}  // namespace cohort
