// SPDX-License-Identifier: Apache-2.0
// Fortran in Open MPI 4.1's interface: the integers of its mpif.h, and statuses of six integers.
#pragma once

#include <cstdint>

#include "mpi/faces/fortran/face.hpp"
#include "mpi/faces/fortran/sentinels.hpp"
#include "mpi/faces/openmpi/face.hpp"

namespace cohort::mpi::faces::openmpi::in_fortran {

struct Face : faces::fortran::FaceOf<openmpi::Face, faces::fortran::Sentinels> {
  // C's structure, which Fortran's array of integers need not be aligned for.
  struct Status {
    int MPI_SOURCE;  // the names are the program's
    int MPI_TAG;
    int MPI_ERROR;
    int cancelled;
    std::uint32_t bytes_low;
    std::uint32_t bytes_high;
  };

  static void store_count(Count bytes, bool cancelled, Status& status) {
    status.cancelled = cancelled ? 1 : 0;
    status.bytes_low = static_cast<std::uint32_t>(bytes);
    status.bytes_high = static_cast<std::uint32_t>(bytes >> 32);
  }
  static void load_count(const Status& status, Count& bytes, bool& cancelled) {
    bytes = static_cast<Count>(std::uint64_t{status.bytes_high} << 32 | status.bytes_low);
    cancelled = status.cancelled != 0;
  }
};
static_assert(sizeof(Face::Status) == 24);

}  // namespace cohort::mpi::faces::openmpi::in_fortran
