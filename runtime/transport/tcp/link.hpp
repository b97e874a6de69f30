// All about one peer.
#pragma once

#include <unistd.h>

#include <utility>

#include "runtime/transport/tcp/bursts.hpp"
#include "runtime/transport/tcp/connection.hpp"
#include "runtime/transport/tcp/silence.hpp"

namespace cohort {

// Never moves, and lives as long as the transport.
struct Link {
  explicit Link(Pid peer) : pid(peer), connection(peer) {}
  ~Link() { close(); }
  Link(const Link&) = delete;

  // The socket is the link's from here on.
  void open(int socket) {
    descriptor = socket;
    state = State::open;
    connection.start(socket);
  }
  void close() {
    if (descriptor >= 0) ::close(std::exchange(descriptor, -1));
  }

  enum class State : std::uint8_t { unconnected, open, lost };
  const Pid pid;
  State state = State::unconnected;
  bool awaits_write = false;
  bool finished = false;  // we have said that nothing follows
  int descriptor = -1;
  Connection connection;
  Silence silence;
  std::uint64_t polls = 0;  // of the transport, before the last message to this peer
};

}  // namespace cohort
