// SPDX-License-Identifier: Apache-2.0
// A profiling library, to be preloaded: it forwards each call by its PMPI_ name, and says at the end how many there
// were.
#include <mpi.h>
#include <stdio.h>

static int sends, receives, reductions, barriers;

int MPI_Send(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
  ++sends;
  return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Request* request) {
  ++receives;
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  ++reductions;
  return PMPI_Allreduce(in, out, count, type, op, comm);
}

int MPI_Barrier(MPI_Comm comm) {
  ++barriers;
  return PMPI_Barrier(comm);
}

int MPI_Finalize(void) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  printf("rank %d: %d MPI_Send, %d MPI_Irecv, %d MPI_Allreduce, %d MPI_Barrier\n", rank, sends, receives, reductions,
         barriers);
  fflush(stdout);
  return PMPI_Finalize();
}
