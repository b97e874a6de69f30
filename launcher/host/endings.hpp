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

// How a process that is not a child of this one has ended, as waitpid() would tell it; nothing if the system does not
// say. `descriptor` is its pidfd.
std::optional<int> status_of(pid_t process, int descriptor);

}  // namespace cohort
