// SPDX-License-Identifier: Apache-2.0
// The exit status of a job: the record of what happened, and the function that computes the status from it. No I/O.
#pragma once

#include <optional>
#include <set>
#include <variant>

#include "cohort/types.hpp"

namespace cohort {

inline constexpr int error_status = 1;  // where the processes themselves give none

// Why a job is ended before all of its processes have ended by themselves.
namespace ended_by {

// The program can't be run on a host.
struct NotStarted {
  int status;  // 126 or 127, as in a shell
};

// A host can't be reached, and no process was started.
struct Unreachable {};

// A process was lost.
struct Failure {
  int status;
  std::optional<Pid> culprit;  // another process, whose mistake caused the loss
};

struct Timeout {};
struct Deadlock {};

// A signal told the launcher to end.
struct Interrupt {
  int signal;
};

// The reader of the job's standard output is gone.
struct ClosedOutput {};

}  // namespace ended_by

using EndedBy = std::variant<ended_by::NotStarted, ended_by::Unreachable, ended_by::Failure, ended_by::Timeout,
                             ended_by::Deadlock, ended_by::Interrupt, ended_by::ClosedOutput>;

// What the exit status depends on. Events after the job's first signal to its processes do not count.
struct JobRecord {
  std::optional<EndedBy> ended_by;  // the first reason is the one that counts
  std::set<Pid> mistaken;           // left the job with a mistake that no call could throw
  std::optional<int> culprit_end;   // exit code of the failure's culprit, if the culprit ended by itself, not with 0

  // Losses of a job that goes on without the lost processes.
  int first_loss = 0;     // exit code of the first lost process
  int first_own_end = 0;  // exit code of the first lost process that ended by itself
  void lose(int exit_code, bool by_itself) {
    if (first_loss == 0) first_loss = exit_code;
    if (first_own_end == 0 && by_itself) first_own_end = exit_code;
  }
  bool anyone_left = false;

  bool output_lost = false;  // standard output could not be written
};

int exit_status(const JobRecord& record);

}  // namespace cohort
