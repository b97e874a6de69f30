// SPDX-License-Identifier: Apache-2.0
// Fortran in the standard interface: the integers of MPI 5.0's ABI, and statuses of eight integers.
#pragma once

#include "mpi/faces/fortran/face.hpp"
#include "mpi/faces/fortran/sentinels.hpp"
#include "mpi/faces/standard/face.hpp"

namespace cohort::mpi::faces::standard::in_fortran {

using Face = faces::fortran::FaceOf<standard::Face, faces::fortran::Sentinels>;

}  // namespace cohort::mpi::faces::standard::in_fortran
