// SPDX-License-Identifier: Apache-2.0
// One connected socket: the queue of outgoing frames, and the reader that makes frames from the bytes that arrive.
//
// A frame costs one system call if the socket takes it at once. Otherwise it is queued, in a list through the frames
// themselves, and several queued frames leave with one call. A frame needs no allocation, but one needs what is held
// back: a burst of small frames, or what a socket does not take of a frame without an owner.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "runtime/transport/tcp/headers.hpp"
#include "runtime/transport/tcp/receive_window.hpp"
#include "runtime/transport/transport.hpp"

namespace cohort {

class Connection {
 public:
  explicit Connection(Pid peer) : peer_(peer) {}

  // Bytes flow from here on; frames may have been queued before. The socket is non-blocking, and stays its owner's.
  void start(int descriptor) { descriptor_ = descriptor; }

  // Takes a frame. Returns true if the whole frame has left.
  bool send(OutgoingFrame& frame);

  // Sends a small frame, unless another one waits in the queue, or the socket is full. If the socket takes only a part,
  // the rest is held back.
  bool send_at_once(const FrameHeader& header, std::span<const ConstPiece> payload);

  // Copies a frame that leaves with the next ones, or by flush(). Returns false if there is no room for it, or if
  // frames wait for the socket.
  bool hold_back(const FrameHeader& header, std::span<const ConstPiece> payload);
  bool holds_back() const { return first_ == nullptr && keeps(); }
  bool keeps() const { return held_sent_ < held_.size(); }  // something leaves before the queue
  void flush_kept() {
    std::size_t offered = 0;
    write(nullptr, offered);
  }

  // Sends as much of the queue as the socket takes, and tells the handler of each frame that has left. Returns whether
  // any byte has left.
  bool flush(FrameHandler& handler);
  bool queued() const { return first_ != nullptr || holds_back(); }
  void drop_queue() {
    first_ = last_ = nullptr;
    held_ = std::vector<std::byte>();
    held_sent_ = 0;
  }

  // Replaces a frame in the queue by `copy`. A part of the frame may have left.
  void replace(const OutgoingFrame& frame, OutgoingFrame& copy);

  // The rest of the payload that is arriving goes to this memory.
  void redirect(const Pieces& landing);

  // Reads what has arrived, up to a bound that is fair to other connections. Returns whether anything has. `staging` is
  // scratch memory of staging_size bytes, which connections can share.
  static const std::size_t staging_size;
  bool receive(FrameHandler& handler, Bytes staging);

  // The same, but drops the bytes.
  bool discard(Bytes staging);

  // The payload of the last frame that began to arrive, in bytes.
  std::uint64_t last_payload() const { return header_.payload; }

  // Why the connection can't be used any more, or empty. After a write has failed, frames that the peer sent
  // before may still arrive; ended() says that no more will.
  const std::string& failure() const { return failure_; }
  bool ended() const { return ended_; }

 private:
  std::size_t write(const OutgoingFrame& frame);
  std::size_t write(ConstBytes bytes);
  std::size_t write(const OutgoingFrame* first, std::size_t& offered);
  std::size_t check(ssize_t written);
  void fail(std::string cause);
  void end(ssize_t result);
  bool take_guessed(FrameHandler& handler, const Guess& guess, Bytes bytes);
  bool parse(FrameHandler& handler, ConstBytes bytes);
  bool begin_frame(FrameHandler& handler, ConstBytes wire);
  void skip(std::size_t size);
  void take_payload(FrameHandler& handler, std::size_t size);
  void copy_payload(FrameHandler& handler, ConstBytes bytes);

  const Pid peer_;
  int descriptor_ = -1;
  std::string failure_;
  bool ended_ = false;
  ReceiveWindow window_;

  OutgoingFrame* first_ = nullptr;
  OutgoingFrame* last_ = nullptr;
  std::vector<std::byte> held_;  // frames that leave before the queue; a part of the first may have left
  std::size_t held_sent_ = 0;    // bytes of held_ that have left

  HeaderWriter writer_;
  HeaderReader reader_;
  TravellingHeader wire_{};       // the header that is arriving
  std::size_t wire_arrived_ = 0;  // bytes of it that have arrived
  FrameHeader header_;            // of the frame whose payload is arriving
  std::size_t payload_left_ = 0;  // bytes of that payload that have not arrived
  Pieces landing_;                // where the payload goes
  std::size_t piece_ = 0;         // the piece of the next byte, and the place in that piece
  std::size_t piece_filled_ = 0;
};

}  // namespace cohort
