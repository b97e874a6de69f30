// SPDX-License-Identifier: Apache-2.0
// Orphans: processes that a rank has started and put into a process group or session of their own (`setsid`, `timeout`,
// a shell with job control). A signal to the rank's group does not reach them. When the rank ends, they become children
// of the launcher or agent, which is a subreaper.
//
// An environment variable, which children inherit, marks the processes of a job. This process has other children too: a
// remote shell may leave an orphan (a shared connection) that does not belong to the job.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace cohort {

class Orphans {
 public:
  // From here on, orphans among the descendants of this process become its children.
  explicit Orphans(std::uint64_t job);

  // Adds the mark to the environment of a process of the job. The marks of outer jobs stay in front of it, so that an
  // outer job also ends the process.
  void mark(std::vector<std::string>& environment) const;

  // Sends a signal to the process of this pidfd, if it carries the mark.
  void signal(int descriptor, pid_t process, int number) const;

  // Kills the children that carry the mark, and the marked orphans that these leave behind. Waits until they have
  // ended, for at most 1 s, because a process may hang in the kernel.
  void end() const;

  // Kills all processes of this machine that carry the mark of a launcher or agent that has ended. Expensive: reads
  // /proc for every process.
  static void end_everywhere(std::uint64_t job, pid_t starter);

 private:
  std::string mark_;
};

}  // namespace cohort
