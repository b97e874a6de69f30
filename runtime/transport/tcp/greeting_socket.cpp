// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/greeting_socket.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "runtime/frequent_tries.hpp"

namespace cohort {

void prepare_socket(int descriptor, std::chrono::nanoseconds silence_limit) {
  const int yes = 1;
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);  // without it, messages are only slower
  try_often(descriptor, silence_limit);
}

void GreetingSocket::open(int descriptor) {
  close();
  descriptor_ = descriptor;
  broken_ = false;
  error_ = 0;
}

void GreetingSocket::close() {
  unsent_.clear();
  if (is_open()) ::close(std::exchange(descriptor_, -1));
}

int GreetingSocket::release() { return std::exchange(descriptor_, -1); }

void GreetingSocket::send(ConstBytes bytes) {
  if (bytes.empty()) return;
  unsent_.insert(unsent_.end(), bytes.begin(), bytes.end());
  flush();
}

void GreetingSocket::flush() {
  if (unsent_.empty() || broken_) return;
  const ssize_t sent = ::send(descriptor_, unsent_.data(), unsent_.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent < 0) return check();
  unsent_.erase(unsent_.begin(), unsent_.begin() + sent);
}

ConstBytes GreetingSocket::read(std::size_t most) {
  if (most == 0 || broken_) return {};
  const ssize_t size = ::recv(descriptor_, heard_.data(), std::min(most, heard_.size()), MSG_DONTWAIT);
  if (size > 0) return ConstBytes(heard_).first(static_cast<std::size_t>(size));
  if (size < 0) {
    check();
  } else {
    broken_ = true;
  }
  return {};
}

void GreetingSocket::check() {
  if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ENOBUFS || errno == ENOMEM) return;
  broken_ = true;
  error_ = errno;
}

}  // namespace cohort
