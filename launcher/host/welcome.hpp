// What the agent of a host tells each of its processes first: what the launcher has said of the job, and what holds on
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

// For all processes of the host: the pid is missing.
process::v1::Welcome welcome_of(const v1::Start& job, const ListenAt& listen_at, int cores);

}  // namespace cohort
