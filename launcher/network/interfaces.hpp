// SPDX-License-Identifier: Apache-2.0
// This host's network addresses, and the rule that chooses one of them, for control and data.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cohort {

// Numeric addresses of the interfaces that are up, without loopback and link-local addresses; IPv4 first.
std::vector<std::string> own_addresses();

// The address of this host on the interface of this name, or within this network ("10.1.0.0/16"). Throws UsageError
// that lists this host's interfaces.
std::string address_of_interface(const std::string& name_or_network);

// Numeric addresses of a host, or the resolver's error. resolve() may block for seconds.
struct Resolved {
  std::vector<std::string> addresses;
  std::string error;
};
Resolved resolve(const std::string& host);

// This host's address on the route to `address`, both numeric. Sends nothing.
std::optional<std::string> address_towards(const std::string& address);

// Whether a listener can be opened on this address.
bool can_listen_on(const std::string& address);

// "10.0.0.1:80", "[fe80::1]:80"
std::string with_port(const std::string& address, int port);

}  // namespace cohort
