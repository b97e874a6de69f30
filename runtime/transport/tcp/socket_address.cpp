// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/socket_address.hpp"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>

#include <array>

namespace cohort {

std::optional<SocketAddress> SocketAddress::parse(const std::string& ip, std::uint16_t port) {
  SocketAddress address;
  auto& v4 = address.as<sockaddr_in>();
  if (::inet_pton(AF_INET, ip.c_str(), &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    address.size_ = sizeof v4;
    return address;
  }
  const std::size_t mark = ip.find('%');
  const std::string interface = mark == std::string::npos ? std::string() : ip.substr(mark + 1);
  auto& v6 = address.as<sockaddr_in6>();
  if (::inet_pton(AF_INET6, ip.substr(0, mark).c_str(), &v6.sin6_addr) != 1) return std::nullopt;
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(port);
  v6.sin6_scope_id = interface.empty() ? 0 : ::if_nametoindex(interface.c_str());
  address.size_ = sizeof v6;
  return address;
}

std::string SocketAddress::ip() const {
  std::array<char, INET6_ADDRSTRLEN> text{};
  if (family() == AF_INET) return ::inet_ntop(AF_INET, &as<sockaddr_in>().sin_addr, text.data(), text.size());
  const auto& v6 = as<sockaddr_in6>();
  std::string ip = ::inet_ntop(AF_INET6, &v6.sin6_addr, text.data(), text.size());
  std::array<char, IF_NAMESIZE> interface {};
  if (v6.sin6_scope_id != 0 && ::if_indextoname(v6.sin6_scope_id, interface.data()) != nullptr) {
    ip.append("%").append(interface.data());
  }
  return ip;
}

std::uint16_t SocketAddress::port() const {
  return ntohs(family() == AF_INET ? as<sockaddr_in>().sin_port : as<sockaddr_in6>().sin6_port);
}

}  // namespace cohort
