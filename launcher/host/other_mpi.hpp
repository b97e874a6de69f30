// SPDX-License-Identifier: Apache-2.0
// Programs that were built for another MPI. `cohort run` would start each of their processes as a job of one.
#pragma once

#include <sys/types.h>

#include <string>

#include "launcher/host/mpi_faces.hpp"

namespace cohort {

// The library of another MPI that the program's file needs ("libmpi.so.40"), and in whose place Cohort has none of its
// own. Empty if there is none, or if the program also contains our library.
std::string other_mpi_of(const std::string& program, const MpiFaces& faces);

// The library of another MPI that a running process or one of its descendants has loaded. Works for scripts, too.
std::string other_mpi_in(pid_t process, const MpiFaces& faces);

}  // namespace cohort
