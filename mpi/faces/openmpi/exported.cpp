// SPDX-License-Identifier: Apache-2.0
// Data and functions that Open MPI's library exports besides MPI's functions and its predefined objects.
#include "mpi/faces/common/callbacks.hpp"
#include "mpi/faces/openmpi/face.hpp"

#pragma GCC visibility push(default)
extern "C" {

// The common blocks of mpif.h, whose addresses mean MPI_BOTTOM and so on. Fortran programs have them, too, and theirs
// count.
char mpi_fortran_argv_null_;
char mpi_fortran_argvs_null_;
int mpi_fortran_bottom_;
int mpi_fortran_errcodes_ignore_;
int mpi_fortran_in_place_;
int mpi_fortran_status_ignore_[2];
int mpi_fortran_statuses_ignore_[2];
int mpi_fortran_unweighted_;
int mpi_fortran_weights_empty_;

int* MPI_F_STATUS_IGNORE = mpi_fortran_status_ignore_;
int* MPI_F_STATUSES_IGNORE = mpi_fortran_statuses_ignore_;

// MPI_COMM_DUP_FN and its relatives.
using Handle = cohort::mpi::faces::openmpi::Face::Handle;

int OMPI_C_MPI_DUP_FN(Handle, int, void*, void* value, void* new_value, int* flag) {
  *static_cast<void**>(new_value) = value;
  *flag = 1;
  return 0;
}
int OMPI_C_MPI_NULL_COPY_FN(Handle, int, void*, void*, void*, int* flag) {
  *flag = 0;
  return 0;
}
int OMPI_C_MPI_NULL_DELETE_FN(Handle, int, void*, void*) { return 0; }

int OMPI_C_MPI_COMM_DUP_FN(Handle, int, void*, void*, void*, int*) __attribute__((alias("OMPI_C_MPI_DUP_FN")));
int OMPI_C_MPI_TYPE_DUP_FN(Handle, int, void*, void*, void*, int*) __attribute__((alias("OMPI_C_MPI_DUP_FN")));
int OMPI_C_MPI_WIN_DUP_FN(Handle, int, void*, void*, void*, int*) __attribute__((alias("OMPI_C_MPI_DUP_FN")));
int OMPI_C_MPI_COMM_NULL_COPY_FN(Handle, int, void*, void*, void*, int*)
    __attribute__((alias("OMPI_C_MPI_NULL_COPY_FN")));
int OMPI_C_MPI_TYPE_NULL_COPY_FN(Handle, int, void*, void*, void*, int*)
    __attribute__((alias("OMPI_C_MPI_NULL_COPY_FN")));
int OMPI_C_MPI_WIN_NULL_COPY_FN(Handle, int, void*, void*, void*, int*)
    __attribute__((alias("OMPI_C_MPI_NULL_COPY_FN")));
int OMPI_C_MPI_COMM_NULL_DELETE_FN(Handle, int, void*, void*) __attribute__((alias("OMPI_C_MPI_NULL_DELETE_FN")));
int OMPI_C_MPI_TYPE_NULL_DELETE_FN(Handle, int, void*, void*) __attribute__((alias("OMPI_C_MPI_NULL_DELETE_FN")));
int OMPI_C_MPI_WIN_NULL_DELETE_FN(Handle, int, void*, void*) __attribute__((alias("OMPI_C_MPI_NULL_DELETE_FN")));
}
#pragma GCC visibility pop
