// SPDX-License-Identifier: Apache-2.0
// How a process ended, in words and as an exit code.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace cohort {

// "exited with status 3", "was killed by signal 9 (Killed)"
std::string describe_ending(int wait_status);

// The exit code of a shell: the status, or 128 + signal.
int exit_code(int wait_status);

// The wait status, as of waitpid(), of a process that has ended and is no child of this one. Nothing if the system does
// not know it. `descriptor` is the process's pidfd.
std::optional<int> status_of(pid_t process, int descriptor);

}  // namespace cohort
