// Orphans: processes that a rank has started and put into a process group or session of their own (`setsid`, `timeout`,
// a shell with job control). No signal to a group reaches them. When the rank ends, the system gives them to the
// launcher or agent, which is a subreaper.
//
// An environment variable, which children inherit, marks whose they are. This process has other children too: a remote
// shell may leave an orphan (a shared connection) that is not the job's.
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

  // Adds the mark to the environment of a process of the job, behind the marks of jobs around this one: these end it,
  // too.
  void mark(std::vector<std::string>& environment) const;

  // Sends a signal to the process of this pidfd, if it carries the mark.
  void signal(int descriptor, pid_t process, int number) const;

  // Kills the children that carry the mark, and what these leave behind, and waits until they have ended: for at most 1
  // s, because a process may hang in the kernel.
  void end() const;

  // The same for all processes of this machine that carry the mark of a launcher or agent that has ended. Reads /proc
  // for every process: not cheap.
  static void end_everywhere(std::uint64_t job, pid_t starter);

 private:
  std::string mark_;
};

}  // namespace cohort
