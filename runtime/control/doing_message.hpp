// SPDX-License-Identifier: Apache-2.0
// What a process is doing, as a message to its agent.
#pragma once

#include "runtime/observe/doing.hpp"

namespace cohort {

namespace process::v1 {
class Doing;
}

void write(const Doing& doing, process::v1::Doing& message);

}  // namespace cohort
