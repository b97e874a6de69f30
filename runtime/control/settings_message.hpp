// The user's options as a process is told of them: the end of their way from the launcher's command line.
#pragma once

#include "runtime/job.hpp"

namespace cohort {

namespace process::v1 {
class Settings;
}

// Throws Error(job) for what there is not here.
void read(const process::v1::Settings& message, Job& job);

}  // namespace cohort
