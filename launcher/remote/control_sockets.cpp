// SPDX-License-Identifier: Apache-2.0
#include "launcher/remote/control_sockets.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <charconv>
#include <filesystem>
#include <string>

#include "launcher/clock.hpp"
#include "runtime/frequent_tries.hpp"

namespace cohort {

namespace {

constexpr int largest_segment = 536;  // bytes; every link carries such a segment: RFC 9293

// The option's value, or -1 if the descriptor has no such option.
int option_of(int descriptor, int option) {
  int value = -1;
  socklen_t size = sizeof value;
  return ::getsockopt(descriptor, SOL_SOCKET, option, &value, &size) == 0 ? value : -1;
}

}  // namespace

void prepare_control_sockets(double host_limit_s) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", ignored)) {
    const std::string name = entry.path().filename();
    int descriptor = -1;
    std::from_chars(name.data(), name.data() + name.size(), descriptor);
    if (option_of(descriptor, SO_PROTOCOL) != IPPROTO_TCP) continue;
    try_often(descriptor, duration_of(host_limit_s) * 4 / 5);
    if (option_of(descriptor, SO_ACCEPTCONN) == 1) {
      ::setsockopt(descriptor, IPPROTO_TCP, TCP_MAXSEG, &largest_segment, sizeof largest_segment);
    }
  }
}

}  // namespace cohort
