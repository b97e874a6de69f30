// What the processes of a host leave behind when they end: processes that they have started, and put into a process
// group or a session of their own (`setsid`, `timeout`, a shell with job control), where no signal to a group finds
// them. The system gives them to the launcher or agent, which has said that it takes them.
#pragma once

#include <string>

namespace cohort {

// From here on, orphans among the descendants of this process become its children.
void adopt_orphans();

// A setting for the environment of a process of the job, by which those that it starts are known: this process has
// other children, and remote shells may leave orphans too (a shared connection), which are not the job's.
std::string mark_of_descent();

// Kills the children that carry the mark, and those that they leave, and waits until they have ended; for no longer
// than a second, because one may be in the kernel's hands.
void kill_marked_children();

}  // namespace cohort
