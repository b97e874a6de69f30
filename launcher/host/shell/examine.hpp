// SPDX-License-Identifier: Apache-2.0
// How things are on this host, for cohort doctor.
#pragma once

#include "proto/control.pb.h"
#include "runtime/job.hpp"

namespace cohort {

// The question's number is the caller's. Opens each port of the range for a moment.
v1::Examined examine(const ListenAt& listen_at);

}  // namespace cohort
