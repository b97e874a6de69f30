// SPDX-License-Identifier: Apache-2.0
#include "runtime/control/failure_message.hpp"

#include "proto/process.pb.h"

namespace cohort {

void write(const Failure& failure, process::v1::Failure& message) {
  message.set_number(failure.number);
  message.set_pid(failure.pid);
  message.set_host(failure.host);
  message.set_incarnation(failure.incarnation);
  message.set_cause(static_cast<process::v1::Failure::Cause>(failure.cause));
  message.set_status(failure.status);
  message.set_words(failure.words);
  message.set_seen_by(failure.seen_by);
  message.set_when(failure.when_us);
}

Failure read(const process::v1::Failure& message) {
  return {message.number(),
          message.pid(),
          message.host(),
          message.incarnation(),
          static_cast<FailureCause>(message.cause()),
          message.status(),
          message.words(),
          message.seen_by(),
          message.when()};
}

}  // namespace cohort
