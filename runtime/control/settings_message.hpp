// SPDX-License-Identifier: Apache-2.0
// The user's options, as a process receives them: the last step from the launcher's command line.
#pragma once

#include "runtime/job.hpp"

namespace cohort {

namespace process::v1 {
class Settings;
}

// Throws Error(job) for a value that this library does not have.
void read(const process::v1::Settings& message, Job& job);

}  // namespace cohort
