// How much processor time the control group of this process may use.
#pragma once

#include <string>

namespace cohort {

// In processors, as "1.5"; infinite without a quota: the least of the control groups (v1 or v2) that hold this process.
// The files are those below `root`, /proc and what is mounted.
double cpu_quota(const std::string& root = "");

}  // namespace cohort
