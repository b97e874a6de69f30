// How a process ended, in words and as an exit code.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace cohort {

// "exited with status 3", "was killed by signal 9 (Killed)"
std::string describe_ending(int wait_status);

// As a shell has it: the status, or 128 + signal.
int exit_code(int wait_status);

// How a process has ended that is no child of this one, as waitpid() would tell it, if the system says so. `descriptor`
// is its pidfd.
std::optional<int> status_of(pid_t process, int descriptor);

}  // namespace cohort
