// SPDX-License-Identifier: Apache-2.0
#include "launcher/job/exit_status.hpp"

#include <csignal>

namespace cohort {

namespace {

constexpr int timeout_status = 124;
constexpr int deadlock_status = 125;

// As in a shell.
constexpr int status_of_signal(int number) { return 128 + number; }

struct StatusOfEnd {
  const JobRecord& record;

  int operator()(const ended_by::NotStarted& by) const { return by.status; }
  int operator()(const ended_by::Unreachable& /*by*/) const { return error_status; }
  // The first cause counts, so the culprit's exit status comes before that of the process that failed because of it.
  int operator()(const ended_by::Failure& by) const {
    if (!by.culprit) return by.status;
    if (record.culprit_end) return *record.culprit_end;
    return record.mistaken.contains(*by.culprit) ? error_status : by.status;
  }
  int operator()(const ended_by::Timeout& /*by*/) const { return timeout_status; }
  int operator()(const ended_by::Deadlock& /*by*/) const { return deadlock_status; }
  int operator()(const ended_by::Interrupt& by) const { return status_of_signal(by.signal); }
  int operator()(const ended_by::ClosedOutput& /*by*/) const { return status_of_signal(SIGPIPE); }
};

// With --on-failure continue, deaths by signal do not change the exit status; a non-zero exit does. If no process left
// the job in order, the first loss counts.
int status_of_whole(const JobRecord& record) {
  const int failed = record.anyone_left ? record.first_own_end : record.first_loss;
  if (failed != 0) return failed;
  return record.mistaken.empty() ? 0 : error_status;
}

}  // namespace

int exit_status(const JobRecord& record) {
  const int status = record.ended_by ? std::visit(StatusOfEnd{record}, *record.ended_by) : status_of_whole(record);
  return status == 0 && record.output_lost ? error_status : status;
}

}  // namespace cohort
