// SPDX-License-Identifier: Apache-2.0
// The record of a process that the job has lost.
#pragma once

#include <cstdint>
#include <string>

#include "cohort/types.hpp"

namespace cohort {

// How a process was lost.
enum class FailureCause {
  exit,           // the process ended by itself: `status` is its exit status, maybe 0 if it had not left the job
  signal,         // a signal killed the process: `status` is the signal's number
  out_of_memory,  // the system killed the process for want of memory
  stalled,        // the process did nothing for longer than its limit: it was stopped, or did not join
  link,           // the process's connection to another process broke
  host,           // the process's host can't be reached any more, or the agent there has ended
  refused,        // the process's agent could not accept its message
};

// One record for each lost process. The launcher writes and numbers the record and sends it to every process of the
// job. Number 0: a process detected the failure by itself, without a launcher.
struct Failure {
  std::uint32_t number = 0;  // from 1 on; the first failure of a job may have caused the others
  Pid pid = 0;
  std::string host{};
  std::uint64_t incarnation = 0;  // of the process; 0 if it never joined
  FailureCause cause = FailureCause::exit;
  int status = 0;
  std::string words{};       // "was killed by signal 9 (Killed)"
  std::string seen_by{};     // "the agent of node7", "the launcher", "pid 3"
  std::int64_t when_us = 0;  // in microseconds since 1970, by the launcher's clock
};

}  // namespace cohort
