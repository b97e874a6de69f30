// SPDX-License-Identifier: Apache-2.0
// Data and functions that MPICH's library exports besides MPI's functions. Programs hold copies of the pointers.
#include "mpi/faces/mpich/face.hpp"

#pragma GCC visibility push(default)
extern "C" {

int MPIR_C_MPI_UNWEIGHTED[2];
int MPIR_C_MPI_WEIGHTS_EMPTY[2];
extern int* const MPI_UNWEIGHTED;
extern int* const MPI_WEIGHTS_EMPTY;
int* const MPI_UNWEIGHTED = MPIR_C_MPI_UNWEIGHTED;
int* const MPI_WEIGHTS_EMPTY = MPIR_C_MPI_WEIGHTS_EMPTY;

extern void* const MPI_T_PVAR_ALL_HANDLES;
static char all_handles;
void* const MPI_T_PVAR_ALL_HANDLES = &all_handles;

// Fortran's MPI_BOTTOM and so on are the addresses of these, or what these point to.
int MPIR_F08_MPI_BOTTOM;
int MPIR_F08_MPI_IN_PLACE;
int MPIR_F08_MPI_STATUS_IGNORE_OBJ[5];
int MPIR_F08_MPI_STATUSES_IGNORE_OBJ[5];
int* MPI_F08_STATUS_IGNORE = MPIR_F08_MPI_STATUS_IGNORE_OBJ;
int* MPI_F08_STATUSES_IGNORE = MPIR_F08_MPI_STATUSES_IGNORE_OBJ;
int* MPI_F_STATUS_IGNORE = nullptr;  // Fortran's library sets both
int* MPI_F_STATUSES_IGNORE = nullptr;

// MPI_COMM_DUP_FN and its relatives.
int MPIR_Dup_fn(int, int, void*, void* value, void* new_value, int* flag) {
  *static_cast<void**>(new_value) = value;
  *flag = 1;
  return 0;
}
}
#pragma GCC visibility pop

namespace cohort::mpi::faces::mpich {

int* Face::unweighted() { return MPI_UNWEIGHTED; }
int* Face::weights_empty() { return MPI_WEIGHTS_EMPTY; }

}  // namespace cohort::mpi::faces::mpich
