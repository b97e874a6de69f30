#include "runtime/transport/tcp/link.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <string_view>

namespace cohort {
namespace {

// Within a host nothing is congested, and a control that paces what is sent (BBR) only delays it.
void do_not_pace(int descriptor) {
  constexpr std::string_view control = "reno";  // always there
  ::setsockopt(descriptor, IPPROTO_TCP, TCP_CONGESTION, control.data(), control.size());
}

}  // namespace

void Link::open(int socket, bool within_host) {
  descriptor = socket;
  state = State::open;
  connection.start(socket);
  if (within_host) do_not_pace(socket);
}

}  // namespace cohort
