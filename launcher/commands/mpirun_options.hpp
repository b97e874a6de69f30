// SPDX-License-Identifier: Apache-2.0
// Options that people know from mpirun and mpiexec, and that `cohort run` does not have.
#pragma once

#include <string>
#include <string_view>

namespace cohort {

// What to give to `cohort run` in place of this option of Open MPI's or MPICH's mpirun, as the rest of an error's
// sentence: ": write --label". Empty if it is none of their common options.
std::string in_place_of_mpiruns(std::string_view option);

}  // namespace cohort
