// One connected socket: the queue of frames on their way out, and the reader that makes frames of the bytes that come.
//
// A frame costs one system call where the socket takes it at once. What the socket does not take is queued in a list
// through the frames themselves, and several queued frames leave with one call. Nothing is allocated for a frame, but
// once for a burst of small ones that are held back.
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

  // From here on bytes flow; frames may have been queued before. The socket stays its owner's, and is non-blocking.
  void start(int descriptor) { descriptor_ = descriptor; }

  // Takes a frame. Returns true if all of it has left.
  bool send(OutgoingFrame& frame);

  // Takes a copy of a frame, to leave with what follows, or by flush(). Returns false if there is no room for it, or
  // frames wait for the socket.
  bool hold_back(const OutgoingFrame& frame);
  bool holds_back() const { return first_ == nullptr && held_sent_ < held_.size(); }

  // Sends of the queue what the socket takes, tells the handler of each frame that has left. Returns whether any byte
  // has.
  bool flush(FrameHandler& handler);
  bool queued() const { return first_ != nullptr || holds_back(); }
  void drop_queue() {
    first_ = last_ = nullptr;
    held_ = std::vector<std::byte>();
    held_sent_ = 0;
  }

  // Puts `copy` in the place of a frame in the queue, of which a part may have left.
  void replace(const OutgoingFrame& frame, OutgoingFrame& copy);

  // What is still to come of the payload that is arriving goes there.
  void redirect(const Pieces& landing);

  // Reads what is there, up to a bound that is fair to other connections. Returns whether anything came. `staging`
  // is scratch memory, of staging_size bytes, that connections can share.
  static const std::size_t staging_size;
  bool receive(FrameHandler& handler, Bytes staging);

  // The same, but drops what comes.
  bool discard(Bytes staging);

  // Of the last frame that began to arrive: bytes.
  std::uint64_t last_payload() const { return header_.payload; }

  // Why the connection is of no use any more, or empty. After send() and flush() found that out, frames that the peer
  // sent before may still be there to be received; ended() says that there are no more.
  const std::string& failure() const { return failure_; }
  bool ended() const { return ended_; }

 private:
  std::size_t write(const OutgoingFrame& frame);
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
  std::vector<std::byte> held_;  // frames that leave before the queue
  std::size_t held_sent_ = 0;    // bytes of them that have left

  HeaderWriter writer_;
  HeaderReader reader_;
  TravellingHeader wire_{};       // the header that is coming
  std::size_t wire_arrived_ = 0;  // bytes of it
  FrameHeader header_;            // of the frame whose payload is coming
  std::size_t payload_left_ = 0;  // bytes of that payload yet to come
  Pieces landing_;                // where it goes
  std::size_t piece_ = 0;         // the next byte's piece, and the place in it
  std::size_t piece_filled_ = 0;
};

}  // namespace cohort
