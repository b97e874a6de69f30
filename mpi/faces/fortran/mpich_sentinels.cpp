// SPDX-License-Identifier: Apache-2.0
#include "mpi/faces/fortran/mpich.hpp"

MpichCommonBlock1 mpipriv1_;
MpichCommonBlock2 mpipriv2_;
MpichCommonBlockOfCharacters mpiprivc_;
int mpifcmb5_;
int mpifcmb9_;

int __mpi_f08_link_constants_MOD_mpi_unweighted;
int __mpi_f08_link_constants_MOD_mpi_weights_empty;

// NOLINTBEGIN(bugprone-reserved-identifier)
#pragma GCC visibility push(default)
extern "C" {
int __mpi_f08_link_constants_MOD_mpi_errcodes_ignore;
char __mpi_f08_link_constants_MOD_mpi_argv_null;
char __mpi_f08_link_constants_MOD_mpi_argvs_null;

extern int* MPI_F_STATUS_IGNORE;
extern int* MPI_F_STATUSES_IGNORE;
}
#pragma GCC visibility pop
// NOLINTEND(bugprone-reserved-identifier)

// C's pointers to them.
[[gnu::constructor]] static void set_pointers() {
  MPI_F_STATUS_IGNORE = mpipriv1_.status_ignore;
  MPI_F_STATUSES_IGNORE = mpipriv2_.statuses_ignore;
}
