// SPDX-License-Identifier: Apache-2.0
// Fortran in MPICH's interface: C's integers, but for the keys of predefined attributes; statuses of five integers.
#pragma once

#include "mpi/faces/fortran/face.hpp"
#include "mpi/faces/mpich/face.hpp"

// Common blocks of MPICH's mpif.h, and what mpi_f08 has in their place. A program has them, too: the linker takes those
// of the program for both.
// NOLINTBEGIN(bugprone-reserved-identifier)
#pragma GCC visibility push(default)
extern "C" {
struct MpichCommonBlock1 {
  int bottom;
  int in_place;
  int status_ignore[5];
};
struct MpichCommonBlock2 {
  int statuses_ignore[5];
  int errcodes_ignore;
};
struct MpichCommonBlockOfCharacters {
  char argvs_null;
  char argv_null;
};
extern MpichCommonBlock1 mpipriv1_;
extern MpichCommonBlock2 mpipriv2_;
extern MpichCommonBlockOfCharacters mpiprivc_;
extern int mpifcmb5_;  // MPI_UNWEIGHTED
extern int mpifcmb9_;  // MPI_WEIGHTS_EMPTY

extern int MPIR_F08_MPI_BOTTOM;
extern int MPIR_F08_MPI_IN_PLACE;
extern int MPIR_F08_MPI_STATUS_IGNORE_OBJ[5];
extern int MPIR_F08_MPI_STATUSES_IGNORE_OBJ[5];
extern int __mpi_f08_link_constants_MOD_mpi_unweighted;
extern int __mpi_f08_link_constants_MOD_mpi_weights_empty;
}
#pragma GCC visibility pop
// NOLINTEND(bugprone-reserved-identifier)

namespace cohort::mpi::faces::mpich::in_fortran {

struct Sentinels {
  static void* bottom() { return &mpipriv1_.bottom; }
  static void* in_place() { return &mpipriv1_.in_place; }
  static bool is_unweighted(const int* weights) {
    return weights == &mpifcmb5_ || weights == &__mpi_f08_link_constants_MOD_mpi_unweighted;
  }
  static bool is_weights_empty(const int* weights) {
    return weights == &mpifcmb9_ || weights == &__mpi_f08_link_constants_MOD_mpi_weights_empty;
  }
  static bool is_ignored(const void* status) {
    return status == mpipriv1_.status_ignore || status == mpipriv2_.statuses_ignore ||
           status == MPIR_F08_MPI_STATUS_IGNORE_OBJ || status == MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
  }
};

struct Keyvals {
  static constexpr int last_predefined = 1711276041;  // C's number of MPI_WIN_MODEL

  // Of C. A program's own keys have small numbers.
  static bool is_predefined(int number) {
    return number > Values::keyval.to_face(abi::keyval_invalid) && number <= last_predefined;
  }
  static int to_core(int here) { return Values::keyval.to_core(is_predefined(here - 1) ? here - 1 : here); }
  static int to_face(int core) {
    const int in_c = Values::keyval.to_face(core);
    return is_predefined(in_c) ? in_c + 1 : in_c;
  }
};

struct Face : faces::fortran::FaceOf<mpich::Face, Sentinels> {
  static constexpr Keyvals keyval{};
};

}  // namespace cohort::mpi::faces::mpich::in_fortran
