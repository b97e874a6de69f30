// SPDX-License-Identifier: Apache-2.0
// How much processor time the control group of this process may use.
#pragma once

#include <limits>
#include <string>

namespace cohort {

struct CpuQuota {
  double processors = std::numeric_limits<double>::infinity();  // such as 1.5; infinite without a quota
  std::string group;  // the group with the quota: device and inode of its folder, the same in every container
};

// The smallest quota of the control groups (v1 or v2) that hold this process. Reads /proc and the mounted hierarchies
// below `root`.
CpuQuota cpu_quota(const std::string& root = "");

}  // namespace cohort
