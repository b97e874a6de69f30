// SPDX-License-Identifier: Apache-2.0
// A process's knowledge of its job, after it has joined.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "collectives/tuning.hpp"
#include "runtime/faults/planned_fault.hpp"
#include "runtime/recorded_receives.hpp"
#include "runtime/transport/endpoints.hpp"

namespace cohort {

struct Job : Endpoints {
  int cores = 1;                         // of this host, or what the container's quota leaves of them
  bool crowded = false;                  // the job has more processes on this host than it has cores
  bool barrier = true;                   // collectives imply a barrier
  bool develop = false;                  // the checks that cost time
  bool synchronous = false;              // in develop mode: a send ends when its receive has been called
  bool goes_on = false;                  // the job continues without lost processes
  std::uint64_t credit = 0;              // bytes that a process may send another unasked; 0: suited to the job's size
  bool progress_thread = false;          // a thread makes progress with started operations while the program computes
  bool record = false;                   // in develop mode: report which member each receive_any took its message from
  std::optional<Sources> replay;         // in develop mode: each receive_any takes its message from the recorded member
  std::chrono::nanoseconds patience{0};  // a longer wait is reported to the launcher; 0: none is
  std::chrono::nanoseconds host_limit{0};  // a process that does not answer for this long is given up; 0: never
  Tuning tuning;
  FaultPlan faults;  // to be injected

  // A process that does not answer for this long is suspected. The rest of host_limit is for noticing, and for the
  // launcher to judge. 0: never.
  std::chrono::nanoseconds silence_limit() const { return host_limit * 4 / 5; }
};

}  // namespace cohort
