// SPDX-License-Identifier: Apache-2.0
#include "runtime/control/ports_message.hpp"

#include "proto/process.pb.h"

namespace cohort {

PortRange read(const process::v1::PortRange& message) {
  return {static_cast<std::uint16_t>(message.first()), static_cast<std::uint16_t>(message.last())};
}

void write(PortRange ports, process::v1::PortRange& message) {
  message.set_first(ports.first);
  message.set_last(ports.last);
}

}  // namespace cohort
