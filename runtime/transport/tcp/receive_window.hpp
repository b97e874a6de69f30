// How much a connection's receiving side offers to take.
//
// The system gives it memory as it has use for, and offers all of it. While anything lies there unread it can't offer
// as much again, and then acknowledges a message of several segments no earlier than it is read: in the reader's call,
// before the answer. With a little more memory than is offered it does so as the message arrives, in nobody's way
// (docs/decisions/0056-room-beside-the-window.md).
#pragma once

#include <cstddef>

namespace cohort {

// Of one connection.
class ReceiveWindow {
 public:
  // So much was read. Now and then, looks whether the system has set anew what it offers, and takes the room from that.
  void was_read(int descriptor, std::size_t bytes) {
    unseen_ += bytes;
    if (unseen_ >= bytes_per_look) keep_room(descriptor);
  }

  static constexpr std::size_t bytes_per_look = 1048576;
  // Messages of so many bytes find it. Of larger ones several may lie there, and one acknowledgment serves them all.
  static constexpr int room = 16384;

 private:
  void keep_room(int descriptor);

  std::size_t unseen_ = 0;  // bytes read since the last look
  int most_ = 0;            // bytes to offer, as was set then
};

}  // namespace cohort
