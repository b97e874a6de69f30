// SPDX-License-Identifier: Apache-2.0
// The system's control groups that a process is in.
#pragma once

#include <string>
#include <vector>

namespace cohort {

struct ControlGroup {
  bool v2 = false;
  std::string folder;  // that holds its files
};

// The groups, of version 1 or 2, in which the controller ("cpu", "memory") may limit the process: its own group first,
// then each enclosing group that is visible. Reads /proc and the mounted hierarchies below `root`. `process` is a
// process number, or "self".
std::vector<ControlGroup> control_groups(const std::string& controller, const std::string& root,
                                         const std::string& process = "self");

}  // namespace cohort
