// SPDX-License-Identifier: Apache-2.0
#include "launcher/network/interfaces.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <asio/ip/address.hpp>
#include <asio/ip/network_v4.hpp>
#include <asio/ip/network_v6.hpp>
#include <asio/ip/tcp.hpp>
#include <memory>

#include "launcher/usage_error.hpp"

namespace cohort {

namespace {

struct InterfaceAddress {
  std::string name;
  asio::ip::address address;
};

std::string numeric(const sockaddr* address, socklen_t length) {
  std::array<char, NI_MAXHOST> text{};
  const int error = ::getnameinfo(address, length, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
  return error == 0 ? text.data() : "";
}

socklen_t length_of(const sockaddr* address) {
  return address->sa_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
}

std::vector<InterfaceAddress> interface_addresses() {
  std::vector<InterfaceAddress> result;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return result;
  const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(list, ::freeifaddrs);
  for (const ifaddrs* entry = list; entry != nullptr; entry = entry->ifa_next) {
    if (entry->ifa_addr == nullptr || (entry->ifa_flags & IFF_UP) == 0) continue;
    const int family = entry->ifa_addr->sa_family;
    if (family != AF_INET && family != AF_INET6) continue;
    asio::error_code error;
    const auto address = asio::ip::make_address(numeric(entry->ifa_addr, length_of(entry->ifa_addr)), error);
    if (error || (address.is_v6() && address.to_v6().is_link_local())) continue;
    result.push_back({entry->ifa_name, address});
  }
  std::stable_sort(result.begin(), result.end(), [](const InterfaceAddress& a, const InterfaceAddress& b) {
    return a.address.is_v4() && !b.address.is_v4();
  });
  return result;
}

bool in_network(const asio::ip::address& address, const std::string& network) {
  asio::error_code error;
  const auto v4 = asio::ip::make_network_v4(network, error);
  if (!error) {
    return address.is_v4() && asio::ip::network_v4(address.to_v4(), v4.prefix_length()).canonical() == v4.canonical();
  }
  const auto v6 = asio::ip::make_network_v6(network, error);
  if (error) throw UsageError("--interface: '" + network + "' is no network; expected e.g. 10.1.0.0/16");
  return address.is_v6() && asio::ip::network_v6(address.to_v6(), v6.prefix_length()).canonical() == v6.canonical();
}

}  // namespace

std::vector<std::string> own_addresses() {
  std::vector<std::string> result;
  for (const InterfaceAddress& entry : interface_addresses()) {
    if (!entry.address.is_loopback()) result.push_back(entry.address.to_string());
  }
  return result;
}

std::string address_of_interface(const std::string& name_or_network) {
  const bool network = name_or_network.find('/') != std::string::npos;
  std::string known;
  for (const InterfaceAddress& entry : interface_addresses()) {
    const bool chosen = network ? in_network(entry.address, name_or_network) : entry.name == name_or_network;
    if (chosen) return entry.address.to_string();
    known += (known.empty() ? "" : ", ") + entry.name + " " + entry.address.to_string();
  }
  throw UsageError("--interface: no " + std::string(network ? "address in " : "interface ") + name_or_network +
                   " on this host; it has " + (known.empty() ? "none" : known));
}

Resolved resolve(const std::string& host) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &list);
  if (error != 0) return {{}, ::gai_strerror(error)};
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(list, ::freeaddrinfo);
  Resolved result;
  for (const addrinfo* entry = list; entry != nullptr; entry = entry->ai_next) {
    const std::string address = numeric(entry->ai_addr, entry->ai_addrlen);
    if (!address.empty()) result.addresses.push_back(address);
  }
  return result;
}

std::optional<std::string> address_towards(const std::string& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = AI_NUMERICHOST;
  addrinfo* list = nullptr;
  if (::getaddrinfo(address.c_str(), "9", &hints, &list) != 0) return std::nullopt;
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(list, ::freeaddrinfo);

  const int probe = ::socket(list->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (probe < 0) return std::nullopt;
  sockaddr_storage own{};
  socklen_t length = sizeof own;
  const bool routed = ::connect(probe, list->ai_addr, list->ai_addrlen) == 0 &&
                      ::getsockname(probe, reinterpret_cast<sockaddr*>(&own), &length) == 0;
  ::close(probe);
  if (!routed) return std::nullopt;
  return numeric(reinterpret_cast<const sockaddr*>(&own), length);
}

bool can_listen_on(const std::string& address) {
  asio::io_context unused;
  asio::ip::tcp::acceptor probe(unused);
  asio::error_code error;
  const asio::ip::tcp::endpoint endpoint(asio::ip::make_address(address, error), 0);
  if (!error) probe.open(endpoint.protocol(), error);
  if (!error) probe.bind(endpoint, error);
  return !error;
}

std::string with_port(const std::string& address, int port) {
  const bool v6 = address.find(':') != std::string::npos;
  return (v6 ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

}  // namespace cohort
