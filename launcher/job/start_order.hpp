// SPDX-License-Identifier: Apache-2.0
// The message that starts a job's processes on a host.
#pragma once

#include "launcher/job/hosts.hpp"
#include "launcher/job/job_origin.hpp"
#include "launcher/job/job_plan.hpp"
#include "proto/control.pb.h"

namespace cohort {

v1::Start start_order(const JobPlan& plan, const JobOrigin& origin, const HostPlan& host);

}  // namespace cohort
