// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "cohort/error.hpp"
#include "runtime/inert.hpp"
#include "runtime/transport/tcp/pacing.hpp"
#include "runtime/transport/tcp/socket_address.hpp"
#include "runtime/transport/tcp/tcp_transport.hpp"

namespace cohort {

namespace {

// Returns a listening socket, or -1 with errno set.
int listening_at(const SocketAddress& address) {
  const int descriptor = ::socket(address.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (descriptor < 0) return -1;
  do_not_pace(descriptor);
  const int on = 1;
  if (::setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
      ::bind(descriptor, address.data(), address.size()) == 0 && ::listen(descriptor, SOMAXCONN) == 0) {
    return descriptor;
  }
  const int cause = errno;
  ::close(descriptor);
  errno = cause;
  return -1;
}

}  // namespace

TcpListener::TcpListener(const ListenAt& at) {
  const int first = at.ports.first, last = at.ports.last;
  const auto refuse = [&](const std::string& cause) {
    const std::string ports =
        first == last ? fmt::format("port {}", first) : fmt::format("ports {} to {}", first, last);
    return Error(ErrorCode::job, fmt::format("cannot listen on {} {}: {}", at.ip, ports, cause));
  };
  for (int port = first; descriptor_ < 0 && port <= last; ++port) {
    const auto address = SocketAddress::parse(at.ip, static_cast<std::uint16_t>(port));
    if (!address) throw refuse("this is not a numeric address");
    descriptor_ = listening_at(*address);
    if (descriptor_ < 0 && errno != EADDRINUSE && errno != EACCES) break;  // another port would not help
  }
  if (descriptor_ < 0) throw refuse(std::system_category().message(errno));
  detail::close_in_forks(descriptor_);
}

TcpListener::TcpListener(TcpListener&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

TcpListener::~TcpListener() {
  if (descriptor_ >= 0) detail::close_own(descriptor_);
}

std::uint16_t TcpListener::port() const {
  SocketAddress address;
  return ::getsockname(descriptor_, address.data(), &address.size()) == 0 ? address.port() : 0;
}

}  // namespace cohort
