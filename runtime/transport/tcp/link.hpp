// All about one peer.
#pragma once

#include <poll.h>
#include <utility>

#include "runtime/inert.hpp"
#include "runtime/transport/tcp/bursts.hpp"
#include "runtime/transport/tcp/connection.hpp"
#include "runtime/transport/tcp/silence.hpp"

namespace cohort {

// Never moves, and lives as long as the transport.
struct Link {
  Link(Pid peer, bool shares_host) : pid(peer), within_host(shares_host), connection(peer) {}
  ~Link() { close(); }
  Link(const Link&) = delete;

  // The socket is the link's from here on.
  void open(int socket) {
    descriptor = socket;
    detail::close_in_forks(socket);
    state = State::open;
    connection.start(socket);
  }
  void close() {
    if (descriptor >= 0) detail::close_own(std::exchange(descriptor, -1));
  }

  // There is nothing to read, as a call says that takes no lock. A read holds the socket's, which what comes from
  // another host waits for; with short frames a second call costs more than that, within a host always. So it is asked
  // where the last frame makes it worth it (docs/decisions/0052-asked-before-it-is-read.md).
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
  bool finished = false;  // we have said that nothing follows
  int descriptor = -1;
  Connection connection;
  Silence silence;
  std::uint64_t polls = 0;  // of the transport, before the last message to this peer
};

}  // namespace cohort
