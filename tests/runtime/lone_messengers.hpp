// SPDX-License-Identifier: Apache-2.0
// Messengers of several processes in one thread, with what they send and receive.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "runtime/messages/messenger.hpp"
#include "runtime/transport/memory/memory_transport.hpp"

namespace cohort::testing {

// A job whose processes make progress when the test says so.
class Processes {
 public:
  explicit Processes(Pid processes) : Processes(processes, Messenger::window_for(processes)) {}
  Processes(Pid processes, std::uint64_t window) : transports_(make_memory_transports(processes)) {
    for (Pid pid = 0; pid < processes; ++pid) {
      messengers_.push_back(std::make_unique<Messenger>(
          *transports_[static_cast<std::size_t>(pid)], pid, processes,
          Messenger::Listener{[](Pid, const std::string&) {},
                              [this](Pid from, const frames::Control& frame) { heard.emplace_back(from, frame); },
                              [](const FrameHeader&) { return true; }},
          window));
    }
  }
  Messenger& at(Pid pid) { return *messengers_[static_cast<std::size_t>(pid)]; }
  bool step(Pid pid) {
    const bool moved = transports_[static_cast<std::size_t>(pid)]->poll(-1);
    return at(pid).dispatch() || moved;
  }
  void settle() {
    for (bool moved = true; moved;) {
      moved = false;
      for (Pid pid = 0; pid < static_cast<Pid>(messengers_.size()); ++pid) moved = step(pid) || moved;
    }
  }

  std::vector<std::pair<Pid, frames::Control>> heard;  // by all of them

 private:
  std::vector<std::unique_ptr<Transport>> transports_;
  std::vector<std::unique_ptr<Messenger>> messengers_;
};

struct Outcome : TransferOwner {
  int ended = 0;
  void transfer_ended(Transfer&) override { ++ended; }
};

struct Sending : Outcome {
  Sending(Pid to, std::uint64_t tag, std::size_t size, std::uint8_t fill) : bytes(size, std::byte{fill}) {
    transfer.peer = to;
    transfer.envelope = {GroupId{}, tag, Channel::user};
    transfer.owner = this;
    if (size > 0) transfer.data = {ConstPiece{bytes.data(), size}};
  }
  std::vector<std::byte> bytes;
  SendTransfer transfer;
};

struct Receiving : Outcome {
  Receiving(Pid from, std::uint64_t tag, std::size_t size) : bytes(size) {
    transfer.peer = from;
    transfer.envelope = {GroupId{}, tag, Channel::user};
    transfer.owner = this;
    transfer.memory = {Piece{bytes.data(), size / 3}, Piece{bytes.data() + size / 3, size - size / 3}};
  }
  std::vector<std::byte> bytes;
  ReceiveTransfer transfer;
};

}  // namespace cohort::testing
