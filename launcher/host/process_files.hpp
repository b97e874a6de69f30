// SPDX-License-Identifier: Apache-2.0
// What /proc reports about a process.
#pragma once

#include <sys/types.h>

#include <string>

namespace cohort {

// The whole file, such as "cmdline". Empty if it can't be read or the process is gone.
std::string text_of(pid_t process, const char* name);

// 'T': stopped by a signal; 't': stopped by a debugger; 'Z', 'X': ended; '?': no such process.
char state_of(pid_t process);

}  // namespace cohort
