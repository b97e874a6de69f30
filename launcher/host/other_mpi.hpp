// Programs that were built for another MPI: `cohort run` would start each of their processes as a job of one.
#pragma once

#include <sys/types.h>

#include <string>

namespace cohort {

// The library of another MPI that this program's file names as needed ("libmpi.so.40"), or nothing. Programs that can
// join a job of ours, too, have none.
std::string other_mpi_of(const std::string& program);

// The same of a process that runs, or one below it, by what it has loaded: also where the program is a script.
std::string other_mpi_in(pid_t process);

}  // namespace cohort
