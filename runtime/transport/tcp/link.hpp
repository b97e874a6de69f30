// SPDX-License-Identifier: Apache-2.0
// The state of the link to one peer.
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <utility>

#include "runtime/inert.hpp"
#include "runtime/transport/tcp/bursts.hpp"
#include "runtime/transport/tcp/connection.hpp"
#include "runtime/transport/tcp/silence.hpp"

namespace cohort {

// A link never moves, and lives as long as the transport.
struct Link {
  Link(Pid peer, bool shares_host) : pid(peer), within_host(shares_host), connection(peer) {}
  ~Link() { close(); }
  Link(const Link&) = delete;

  // From here on the socket belongs to the link.
  void open(int socket) {
    descriptor = socket;
    detail::close_in_forks(socket);
    state = State::open;
    connection.start(socket);
  }
  void close() {
    if (descriptor >= 0) detail::close_own(std::exchange(descriptor, -1));
  }

  // From here on, close() makes the system send a reset, and drop data that have not left.
  void will_reset() const {
    const linger at_once{1, 0};
    ::setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  }

  // Whether a call that takes no lock finds nothing to read. A read holds the socket's lock, and packets from another
  // host wait for the lock. The extra call costs more than it saves with short frames, and always within a host. So it
  // is made only if the size of the last frame makes it worth it (docs/decisions/waiting.md).
  bool seen_to_be_empty() const {
    constexpr std::uint64_t least_bytes = 1024;
    constexpr std::uint64_t most_bytes = 16384;
    const std::uint64_t last = connection.last_payload();
    if (within_host || last < least_bytes || last > most_bytes) return false;
    pollfd socket{descriptor, POLLIN, 0};
    return ::poll(&socket, 1, 0) == 0;
  }

  enum class State : std::uint8_t { unconnected, open, lost };
  const Pid pid;
  const bool within_host;
  State state = State::unconnected;
  bool awaits_write = false;
  bool finished = false;  // we have told the peer that nothing follows
  int descriptor = -1;
  Connection connection;
  Silence silence;
  std::uint64_t polls = 0;  // the transport's polls before the last message to this peer
};

}  // namespace cohort
