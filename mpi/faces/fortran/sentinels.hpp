// SPDX-License-Identifier: Apache-2.0
// Common blocks of Open MPI's mpif.h and of the standard face's. A program has them, too: the linker takes those of the
// program for both.
#pragma once

#pragma GCC visibility push(default)
extern "C" {
extern int mpi_fortran_bottom_;
extern int mpi_fortran_in_place_;
extern char mpi_fortran_argv_null_;
extern char mpi_fortran_argvs_null_;
extern int mpi_fortran_errcodes_ignore_;
extern int mpi_fortran_status_ignore_[];
extern int mpi_fortran_statuses_ignore_[];
extern int mpi_fortran_unweighted_;
extern int mpi_fortran_weights_empty_;
}
#pragma GCC visibility pop

namespace cohort::mpi::faces::fortran {

struct Sentinels {
  static void* bottom() { return &mpi_fortran_bottom_; }
  static void* in_place() { return &mpi_fortran_in_place_; }
  static bool is_unweighted(const int* weights) { return weights == &mpi_fortran_unweighted_; }
  static bool is_weights_empty(const int* weights) { return weights == &mpi_fortran_weights_empty_; }
  static bool is_ignored(const void* status) {
    return status == mpi_fortran_status_ignore_ || status == mpi_fortran_statuses_ignore_;
  }
};

}  // namespace cohort::mpi::faces::fortran
