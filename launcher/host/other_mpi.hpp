// Programs that were built for another MPI. `cohort run` would start each of their processes as a job of one.
#pragma once

#include <sys/types.h>

#include <string>

namespace cohort {

// The library of another MPI that the program's file needs ("libmpi.so.40"), or nothing. Nothing, too, if the program
// also contains our library.
std::string other_mpi_of(const std::string& program);

// The same for a running process and those below it, by the libraries that they have loaded. Works for scripts, too.
std::string other_mpi_in(pid_t process);

}  // namespace cohort
