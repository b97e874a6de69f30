// SPDX-License-Identifier: Apache-2.0
#include "runtime/control/group_message.hpp"

#include "proto/process.pb.h"

namespace cohort {

void write(const GroupId& id, process::v1::Group& message) {
  message.set_counter(id.counter);
  message.set_pid(id.pid);
  message.set_derivation(id.derivation);
}

GroupId read(const process::v1::Group& message) { return {message.counter(), message.pid(), message.derivation()}; }

}  // namespace cohort
