// How often the system has killed a process for want of memory.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace cohort {

// Of those in this process's control group, where groups are counted; else of the machine's. 0 where the system does
// not tell. The files are those below `root`, /proc and what is mounted.
std::uint64_t memory_kills(const std::string& root = "");

// Which deaths these explain: each kill explains one. A kill is counted in the control group of the killed process,
// wherever the limit is, and a process may have moved itself to another group than ours. So it is looked at now and
// then. Who has moved since, or whose group is gone with it, is explained by the machine's count, if that has risen
// just now: others' kills on a machine that is shared must not explain a death here.
class MemoryDeaths {
 public:
  explicit MemoryDeaths(std::string root = "");

  // To be called about twice a second, with those that run.
  void look(const std::vector<pid_t>& processes);

  // The death of a process that has ended so, if it was killed; a shell's status may tell that of what it ran. These
  // have died, or one of them: the shell, and what it ran.
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
