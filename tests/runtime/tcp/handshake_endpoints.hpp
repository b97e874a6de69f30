// The endpoints of a process of a job of five, as the tests of the handshake have them.
#pragma once

#include "runtime/transport/endpoints.hpp"

namespace cohort::testing {

inline Endpoints handshake_endpoints(Pid me) {
  Endpoints endpoints;
  endpoints.id = 0x1122334455667788;
  endpoints.secret.fill(0x5a);
  endpoints.me = me;
  endpoints.processes.assign(5, {});
  for (std::size_t pid = 0; pid < 5; ++pid) endpoints.processes[pid].incarnation = 0xabc0 + pid;
  return endpoints;
}

}  // namespace cohort::testing
