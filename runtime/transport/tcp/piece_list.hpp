// SPDX-License-Identifier: Apache-2.0
// The memory for one system call that sends or receives: a bounded number of pieces of frames.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>

#include "runtime/transport/tcp/headers.hpp"

namespace cohort {

class PieceList {
 public:
  static constexpr int send_flags = MSG_NOSIGNAL | MSG_DONTWAIT;

  // Returns false if the list is full.
  bool add(const void* data, std::size_t size) {
    if (size == 0) return true;
    if (count_ == max_pieces) return false;
    pieces_[count_++] = {const_cast<void*>(data), size};
    bytes_ += size;
    return true;
  }
  // Adds the part of the frame that has not left.
  bool add(const OutgoingFrame& frame) {
    const std::size_t header = travelling_size(frame.wire);
    std::size_t skip = frame.written;
    if (skip < header) {
      if (!add(frame.wire.data() + skip, header - skip)) return false;
      skip = 0;
    } else {
      skip -= header;
    }
    for (const ConstPiece& piece : frame.payload) {
      const std::size_t skipped = std::min(skip, piece.size);
      skip -= skipped;
      if (!add(piece.data + skipped, piece.size - skipped)) return false;
    }
    return true;
  }

  std::size_t bytes() const { return bytes_; }

  // send() and recv() cost less than sendmsg() and recvmsg().
  ssize_t send(int descriptor) {
    if (count_ == 1) return ::send(descriptor, pieces_[0].iov_base, pieces_[0].iov_len, send_flags);
    const msghdr message = this->message();
    return ::sendmsg(descriptor, &message, send_flags);
  }
  ssize_t receive(int descriptor) {
    if (count_ == 1) return ::recv(descriptor, pieces_[0].iov_base, pieces_[0].iov_len, MSG_DONTWAIT);
    msghdr message = this->message();
    return ::recvmsg(descriptor, &message, MSG_DONTWAIT);
  }

 private:
  static constexpr std::size_t max_pieces = 64;

  msghdr message() {
    msghdr message{};
    message.msg_iov = pieces_.data();
    message.msg_iovlen = count_;
    return message;
  }

  std::array<iovec, max_pieces> pieces_;  // the first count_ are set
  std::size_t count_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace cohort
