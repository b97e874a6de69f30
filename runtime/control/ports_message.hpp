// SPDX-License-Identifier: Apache-2.0
// Ranges of ports, as launcher, agents and processes send them to each other.
#pragma once

#include "runtime/job.hpp"

namespace cohort {

namespace process::v1 {
class PortRange;
}

PortRange read(const process::v1::PortRange& message);
void write(PortRange ports, process::v1::PortRange& message);

}  // namespace cohort
