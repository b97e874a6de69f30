#include "runtime/transport/tcp/link.hpp"

#include "runtime/transport/tcp/pacing.hpp"

namespace cohort {

void Link::open(int socket, bool within_host) {
  descriptor = socket;
  state = State::open;
  connection.start(socket);
  if (!within_host) pace_as_usual(socket);
}

}  // namespace cohort
