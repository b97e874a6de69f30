// SPDX-License-Identifier: Apache-2.0
// An Internet address, v4 or v6, as system calls take it.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>

namespace cohort {

class SocketAddress {
 public:
  SocketAddress() = default;  // empty, for the system to fill
  // `ip` is numeric; a v6 address may name its interface after a "%". Nothing if it is not numeric.
  static std::optional<SocketAddress> parse(const std::string& ip, std::uint16_t port);

  int family() const { return storage_.ss_family; }
  std::string ip() const;  // as parse() takes it
  std::uint16_t port() const;

  sockaddr* data() { return reinterpret_cast<sockaddr*>(&storage_); }
  const sockaddr* data() const { return reinterpret_cast<const sockaddr*>(&storage_); }
  socklen_t& size() { return size_; }
  socklen_t size() const { return size_; }

 private:
  template <class Address>
  Address& as() {
    return reinterpret_cast<Address&>(storage_);
  }
  template <class Address>
  const Address& as() const {
    return reinterpret_cast<const Address&>(storage_);
  }

  sockaddr_storage storage_{};
  socklen_t size_ = sizeof storage_;
};

}  // namespace cohort
