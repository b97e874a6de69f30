// What the processes of a host leave behind when they end: processes that they have started, and put into a process
// group or a session of their own (`setsid`, `timeout`, a shell with job control), where no signal to a group finds
// them. The system gives them to the launcher or agent, which has said that it takes them.
//
// A variable of their environment, which children inherit, says whose they are: this process has other children, and a
// remote shell may leave an orphan too (a shared connection), which is not the job's.
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

  // Into the environment of a process of the job. Behind the marks of jobs around this one: they end it, too.
  void mark(std::vector<std::string>& environment) const;

  // Sends a signal to the process of this pidfd, if it carries the mark.
  void signal(int descriptor, pid_t process, int number) const;

  // Kills the children that carry the mark, and those that they leave, and waits until they have ended; for no longer
  // than a second, because one may be in the kernel's hands.
  void end() const;

  // The same for all processes of this machine that carry the mark of this launcher or agent, to which they would have
  // come if it had not ended. Not cheap: it reads of every process.
  static void end_everywhere(std::uint64_t job, pid_t starter);

 private:
  std::string mark_;
};

}  // namespace cohort
