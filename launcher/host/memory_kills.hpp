// SPDX-License-Identifier: Apache-2.0
// Which deaths were caused by the kernel's out-of-memory killer.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cohort {

// The out-of-memory kills in this process's control group, or on the machine if groups have no count. 0 if the system
// has no count. Reads /proc and the mounted hierarchies below `root`.
std::uint64_t memory_kills(const std::string& root = "");

// Decides which deaths the counted kills explain; each kill explains one death. A kill is counted in the control group
// of the killed process. A process may move to another group, so look() records the groups of the running processes. If
// a process has moved since the last look, or its group is gone, the machine's count decides: it must have risen since
// the look before the last. Older kills may be of other users of the machine.
class MemoryDeaths {
 public:
  explicit MemoryDeaths(std::string root = "");

  // Call it about twice a second, with the processes that run.
  void look(const std::vector<pid_t>& processes);

  // Whether a kill explains this death. `processes` may have been killed: a shell and the process that it ran, because
  // a shell reports that process's status as its own.
  bool explain(int wait_status, const std::vector<pid_t>& processes);

 private:
  struct Seen {
    std::string groups;   // text of /proc/PID/cgroup
    std::string counter;  // the file that counts the kills of the process's group
  };

  bool explained_by(const std::string& counter);
  bool explained_by_group(const std::string& counter);

  const std::string root_;
  const std::string machine_;
  const std::string own_;
  std::map<std::string, std::uint64_t> explained_;  // by counter: kills explained, or older than the first look at it
  std::uint64_t machine_before_;                    // the machine's count at the last look
  std::map<pid_t, Seen> seen_;
};

}  // namespace cohort
