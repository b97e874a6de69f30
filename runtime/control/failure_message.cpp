// SPDX-License-Identifier: Apache-2.0
#include "runtime/control/failure_message.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "proto/process.pb.h"

namespace cohort {

namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;
using std::chrono::system_clock;

// Clamps a time that the clock can't express to its first or last one, because a message may hold any number.
system_clock::time_point time_of(std::int64_t microseconds_since_1970) {
  constexpr auto last = duration_cast<microseconds>(system_clock::duration::max());
  return system_clock::time_point(std::clamp(microseconds(microseconds_since_1970), -last, last));
}

}  // namespace

void write(const Failure& failure, process::v1::Failure& message) {
  message.set_number(failure.number);
  message.set_pid(failure.pid);
  message.set_host(failure.host);
  message.set_incarnation(failure.incarnation);
  message.set_cause(static_cast<process::v1::Failure::Cause>(failure.cause));
  message.set_status(failure.status);
  message.set_words(failure.words);
  message.set_seen_by(failure.seen_by);
  message.set_when(duration_cast<microseconds>(failure.when.time_since_epoch()).count());
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
          time_of(message.when())};
}

}  // namespace cohort
