// SPDX-License-Identifier: Apache-2.0
// The standard face's common blocks. Open MPI's are in openmpi/exported.cpp.
#include "mpi/faces/fortran/sentinels.hpp"

int mpi_fortran_bottom_;
int mpi_fortran_in_place_;
char mpi_fortran_argv_null_;
char mpi_fortran_argvs_null_;
int mpi_fortran_errcodes_ignore_;
int mpi_fortran_status_ignore_[8];
int mpi_fortran_statuses_ignore_[8];
int mpi_fortran_unweighted_;
int mpi_fortran_weights_empty_;

extern "C" int* MPI_F_STATUS_IGNORE;
extern "C" int* MPI_F_STATUSES_IGNORE;

// C's pointers to them.
[[gnu::constructor]] static void set_pointers() {
  MPI_F_STATUS_IGNORE = mpi_fortran_status_ignore_;
  MPI_F_STATUSES_IGNORE = mpi_fortran_statuses_ignore_;
}
