// SPDX-License-Identifier: Apache-2.0
// A socket for a greeting. It is non-blocking, and is closed with this object unless it is released.
#pragma once

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "runtime/transport/frame.hpp"

namespace cohort {

class GreetingSocket {
 public:
  explicit GreetingSocket(int descriptor = -1) : descriptor_(descriptor) {}
  ~GreetingSocket() { close(); }
  GreetingSocket(const GreetingSocket&) = delete;

  int descriptor() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }
  void open(int descriptor);  // replaces the old socket, which is closed
  void close();
  int release();  // the socket belongs to the caller from here on

  // Sends bytes. flush() sends those that the system does not take at once.
  void send(ConstBytes bytes);
  void flush();
  bool holds_unsent() const { return !unsent_.empty(); }

  // Reads at most `most` bytes, without waiting. They are valid until the next call.
  ConstBytes read(std::size_t most);

  // No more bytes can be read or sent: the other side has ended the connection (error() is 0), or it broke (errno).
  bool broken() const { return broken_; }
  int error() const { return error_; }

 private:
  void check();

  int descriptor_;
  std::vector<std::byte> unsent_;
  std::array<std::byte, 64> heard_;
  bool broken_ = false;
  int error_ = 0;
};

// For sockets that carry frames: no delay, and retransmissions frequent enough to find a link that is cut.
void prepare_socket(int descriptor, std::chrono::nanoseconds silence_limit);

}  // namespace cohort
