// SPDX-License-Identifier: Apache-2.0
// A failure's record as it travels from the launcher to the processes.
#pragma once

#include "cohort/failure.hpp"

namespace cohort {

namespace process::v1 {
class Failure;
}

void write(const Failure& failure, process::v1::Failure& message);
Failure read(const process::v1::Failure& message);

}  // namespace cohort
