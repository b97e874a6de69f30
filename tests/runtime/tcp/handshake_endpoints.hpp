// SPDX-License-Identifier: Apache-2.0
// The endpoints of a process, as the tests of the handshake and its fuzzer have them: of a job of five unless it is
// told.
#pragma once

#include "runtime/transport/endpoints.hpp"

namespace cohort::testing {

inline Endpoints handshake_endpoints(Pid me, std::size_t processes = 5, std::uint64_t job_id = 0x1122334455667788,
                                     std::uint64_t first_incarnation = 0xabc0) {
  Endpoints endpoints;
  endpoints.id = job_id;
  endpoints.secret.fill(0x5a);
  endpoints.me = me;
  endpoints.processes.assign(processes, {});
  for (std::size_t pid = 0; pid < processes; ++pid) endpoints.processes[pid].incarnation = first_incarnation + pid;
  return endpoints;
}

}  // namespace cohort::testing
