// How much processor time the control group of this process may use.
#pragma once

#include <limits>
#include <string>

namespace cohort {

struct CpuQuota {
  double processors = std::numeric_limits<double>::infinity();  // as "1.5"; infinite without a quota
  std::string group;  // that has it: device and inode of its folder, whatever name it goes by in a container
};

// The least of the control groups (v1 or v2) that hold this process. The files are those below `root`, /proc and what
// is mounted.
CpuQuota cpu_quota(const std::string& root = "");

}  // namespace cohort
