// What is known of a process that its job has lost.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "cohort/types.hpp"

namespace cohort {

enum class FailureCause {
  exit,           // it ended by itself: `status` is its exit status, also 0 if it has not left the job
  signal,         // `status` is the signal's number
  out_of_memory,  // the system killed it for want of memory
  stalled,        // it did nothing for longer than it may: it was stopped, or has not joined
  link,           // its connection to another process broke
  host,           // its host can't be reached any more, or the agent there has ended
  refused,        // it said to its agent what can't be accepted
};

// One record for each lost process. The launcher writes it and numbers it, and every process of the job is told the
// same; number 0 is what a process has found out by itself, where there is no launcher to ask.
struct Failure {
  std::uint32_t number = 0;  // from 1 on: the first failure of a job is the one that the others may follow from
  Pid pid = 0;
  std::string host{};
  std::uint64_t incarnation = 0;  // of the process; 0 if it had not joined
  FailureCause cause = FailureCause::exit;
  int status = 0;
  std::string words{};    // "was killed by signal 9 (Killed)"
  std::string seen_by{};  // "the agent of node7", "the launcher", "pid 3"
  std::chrono::system_clock::time_point when{};
};

}  // namespace cohort
