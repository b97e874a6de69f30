// A socket on which a greeting is played. Non-blocking; closed with its owner, unless it is released.
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
  void open(int descriptor);  // another one; the old one is closed
  void close();
  int release();  // it is the caller's from here on

  // What the system does not take at once leaves with flush().
  void send(ConstBytes bytes);
  void flush();
  bool holds_unsent() const { return !unsent_.empty(); }

  // So many bytes at most, of those that are there. Valid until the next call.
  ConstBytes read(std::size_t most);

  // No more bytes come or go: the other side has ended the connection (0), or it broke (errno).
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

// For sockets that carry frames: no delay, and tries that are frequent enough to find a link that is cut.
void prepare_socket(int descriptor, std::chrono::nanoseconds silence_limit);

}  // namespace cohort
