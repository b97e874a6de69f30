// The system's control groups that a process is in.
#pragma once

#include <string>
#include <vector>

namespace cohort {

struct ControlGroup {
  bool v2 = false;
  std::string folder;  // of its files
};

// The groups, of version 1 or 2, that may limit what the controller ("cpu", "memory") is about: the process's own, then
// those that hold it, as far as they are in sight. The files are those below `root`, /proc and what is mounted.
// `process` is its number, or "self".
std::vector<ControlGroup> control_groups(const std::string& controller, const std::string& root,
                                         const std::string& process = "self");

}  // namespace cohort
