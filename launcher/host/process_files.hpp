// What the system says of a process, in the files of /proc.
#pragma once

#include <sys/types.h>

#include <string>

namespace cohort {

// All of a file, as in "cmdline"; nothing if it may not be read, or there is no such process.
std::string text_of(pid_t process, const char* name);

// 'T' is a process that a signal has stopped, 't' one that a debugger looks at, 'Z' and 'X' one that has ended; '?' is
// none.
char state_of(pid_t process);

}  // namespace cohort
