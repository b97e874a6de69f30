// SPDX-License-Identifier: Apache-2.0
#include "runtime/transport/tcp/pacing.hpp"

#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string_view>

namespace cohort {

void do_not_pace(int descriptor) {
  constexpr std::string_view control = "reno";  // every system has it
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_CONGESTION, control.data(), control.size());
}

void pace_as_usual(int descriptor) {
  const int fresh = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fresh < 0) return;
  std::array<char, 64> control{};
  socklen_t size = control.size();
  if (::getsockopt(fresh, IPPROTO_TCP, TCP_CONGESTION, control.data(), &size) == 0) {
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_CONGESTION, control.data(), size);
  }
  ::close(fresh);
}

}  // namespace cohort
