// Deaths by the kernel's out-of-memory killer: which processes it has killed.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cohort {

// The kills counted in this process's control group, or on the machine if groups are not counted. 0 if the system does
// not tell. Reads /proc and what is mounted below `root`.
std::uint64_t memory_kills(const std::string& root = "");

// Decides which deaths the counted kills explain; each kill explains one. A kill is counted in the control group of the
// killed process, and a process may have moved itself to another group: so the groups of running processes are looked
// at now and then. If a process has moved since the last look, or its group is gone, the machine's count decides, if it
// has risen just now. Kills of other users on a shared machine must not explain a death here.
class MemoryDeaths {
 public:
  explicit MemoryDeaths(std::string root = "");

  // To be called about twice a second, with those that run.
  void look(const std::vector<pid_t>& processes);

  // Whether a kill explains this death. `processes` are those that may have been killed: a shell, and the process that
  // it ran, whose status a shell reports as its own.
  bool explain(int wait_status, const std::vector<pid_t>& processes);

 private:
  struct Seen {
    std::string groups;   // as /proc has them
    std::string counter;  // the file that counts its group's kills
  };

  bool explained_by(const std::string& counter);
  bool explained_by_group(const std::string& counter);

  const std::string root_;
  const std::string machine_;
  const std::string own_;
  std::map<std::string, std::uint64_t> explained_;  // of each counter's kills, those before it was found too
  std::uint64_t machine_before_;                    // when it was looked at last
  std::map<pid_t, Seen> seen_;
};

}  // namespace cohort
