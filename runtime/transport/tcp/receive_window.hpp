// SPDX-License-Identifier: Apache-2.0
// How much a connection's receiver offers to take.
//
// The system gives the socket memory as needed, and offers all of it. While unread data lie there it can't offer as
// much again. Then it acknowledges a message of several segments only when the message is read: in the reader's call,
// before the answer. With a little more memory than it offers, it acknowledges the message on arrival, which delays
// nobody (docs/decisions/tcp_large_messages.md).
#pragma once

#include <cstddef>

namespace cohort {

// For one connection.
class ReceiveWindow {
 public:
  // So many bytes were read. Now and then, looks whether the system has changed its offer, and then takes `room` off
  // it.
  void was_read(int descriptor, std::size_t bytes) {
    unseen_ += bytes;
    if (unseen_ >= bytes_per_look) keep_room(descriptor);
  }

  static constexpr std::size_t bytes_per_look = 1048576;
  // Messages of this size find room. Several larger messages may lie there, and one acknowledgement serves them all.
  static constexpr int room = 16384;

 private:
  void keep_room(int descriptor);

  std::size_t unseen_ = 0;  // bytes read since the last look
  int most_ = 0;            // bytes to offer, as last set
};

}  // namespace cohort
