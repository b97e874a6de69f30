// A handler for the time of closing: nothing is told any more.
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
