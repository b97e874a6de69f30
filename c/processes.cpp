// SPDX-License-Identifier: Apache-2.0
// Joining and leaving the job.
#include <memory>

#include "c/guard.hpp"

using cohort::Where;
namespace c = cohort::c;

int cohort_join(cohort_process** process) {
  return c::guarded("cohort_join", [&](const Where& where) {
    cohort_process*& place = c::existing(process, "the place for the process", where);
    auto joined = std::make_unique<cohort_process>(cohort_process{cohort::join(), {}});
    joined->host = joined->process.host();
    place = joined.release();
  });
}

int cohort_leave(cohort_process* process) {
  return c::guarded("cohort_leave", [&](const Where& where) {
    const std::unique_ptr<cohort_process> leaving(&c::existing(process, "the process", where));
    leaving->process.leave(where);
  });
}

int32_t cohort_process_pid(const cohort_process* process) { return process->process.pid(); }
int32_t cohort_process_size(const cohort_process* process) { return process->process.size(); }
const char* cohort_process_host(const cohort_process* process) { return process->host.c_str(); }

uint32_t cohort_process_settings(const cohort_process* process) {
  const cohort::Process& self = process->process;
  uint32_t settings = 0;
  if (self.barrier()) settings |= COHORT_BARRIER;
  if (self.develop()) settings |= COHORT_DEVELOP;
  if (self.progress_thread()) settings |= COHORT_PROGRESS_THREAD;
  return settings;
}
