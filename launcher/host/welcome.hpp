// SPDX-License-Identifier: Apache-2.0
// The first message from a host's agent to each of its processes: the launcher's settings for the job, and those of
// this host.
#pragma once

#include "runtime/job.hpp"

namespace cohort {

namespace v1 {
class Start;
}
namespace process::v1 {
class Welcome;
}

// The common part for all processes of the host. The caller adds the pid.
process::v1::Welcome welcome_of(const v1::Start& job, const ListenAt& listen_at, int cores);

}  // namespace cohort
