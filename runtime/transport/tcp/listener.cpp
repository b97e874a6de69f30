#include <sys/socket.h>
#include <unistd.h>

#include <asio/ip/tcp.hpp>
#include <utility>

#include "cohort/error.hpp"
#include "runtime/transport/tcp/tcp_transport.hpp"

namespace cohort {

TcpListener::TcpListener(const std::string& ip, std::uint16_t port) {
  const auto refuse = [&](const std::string& cause) {
    return Error(ErrorCode::job, "cannot listen on " + ip + " port " + std::to_string(port) + ": " + cause);
  };
  asio::error_code error;
  const asio::ip::address address = asio::ip::make_address(ip, error);
  if (error) throw refuse("this is not a numeric address");
  const asio::ip::tcp::endpoint endpoint(address, port);
  // By hand, because Asio's sockets would be inherited by the programs that a user's process starts.
  descriptor_ = ::socket(endpoint.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  if (descriptor_ < 0 || ::setsockopt(descriptor_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(descriptor_, endpoint.data(), static_cast<socklen_t>(endpoint.size())) != 0 ||
      ::listen(descriptor_, SOMAXCONN) != 0) {
    const int cause = errno;
    if (descriptor_ >= 0) ::close(descriptor_);
    throw refuse(std::system_category().message(cause));
  }
}

TcpListener::TcpListener(TcpListener&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

TcpListener::~TcpListener() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::uint16_t TcpListener::port() const {
  asio::ip::tcp::endpoint endpoint;
  auto size = static_cast<socklen_t>(endpoint.capacity());
  if (::getsockname(descriptor_, endpoint.data(), &size) != 0) return 0;
  return endpoint.port();
}

}  // namespace cohort
