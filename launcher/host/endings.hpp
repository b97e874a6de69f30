// How a process ended, in words and as an exit code.
#pragma once

#include <string>

namespace cohort {

// "exited with status 3", "was killed by signal 9 (Killed)"
std::string describe_ending(int wait_status);

// As a shell has it: the status, or 128 + signal.
int exit_code(int wait_status);

}  // namespace cohort
