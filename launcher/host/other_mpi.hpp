// Programs that were built for another MPI. `cohort run` would start each of their processes as a job of one.
#pragma once

#include <sys/types.h>

#include <string>

namespace cohort {

// The library of another MPI that the program's file needs ("libmpi.so.40"). Empty if there is none, or if the program
// also contains our library.
std::string other_mpi_of(const std::string& program);

// The library of another MPI that a running process or one of its descendants has loaded. Works for scripts, too.
std::string other_mpi_in(pid_t process);

}  // namespace cohort
