// SPDX-License-Identifier: Apache-2.0
#include "runtime/control/settings_message.hpp"

#include <stdexcept>
#include <string>

#include "cohort/error.hpp"
#include "proto/process.pb.h"
#include "runtime/control/faults_message.hpp"
#include "runtime/control/tuning_message.hpp"

namespace cohort {

void read(const process::v1::Settings& message, Job& job) {
  job.barrier = message.barrier();
  job.develop = message.develop();
  job.synchronous = message.synchronous();
  job.goes_on = message.goes_on();
  job.progress_thread = message.progress_thread();
  job.patience = to_nanoseconds(message.patience());
  job.host_limit = to_nanoseconds(message.host_limit());
  job.record = message.record();
  if (message.replay()) job.replay.emplace();
  try {
    job.tuning = read(message.tuning());
  } catch (const std::invalid_argument& error) {
    throw Error(ErrorCode::job, std::string("the launcher's choice of algorithms: ") + error.what());
  }
  job.faults = read(message.faults());
}

}  // namespace cohort
