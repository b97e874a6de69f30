// SPDX-License-Identifier: Apache-2.0
// Ends by MPI_Abort of one rank while the others wait for it. The status is the first argument. With a second one, the
// others don't wait, and it says on which communicator: "world" ends them in an endless loop; with "self" they go on;
// with "half" and "error", which is MPI_ERRORS_ABORT instead, only every second rank ends.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;

static void abort_half(int status, int by_error) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  const int one = rank == ranks - 1;
#ifdef MPI_ERRORS_ABORT
  if (one && by_error) {
    MPI_Comm_set_errhandler(half, MPI_ERRORS_ABORT);
    MPI_Send(&status, -1, MPI_INT, 0, 0, half);
  }
#endif
  (void)by_error;
  if (one) MPI_Abort(half, status);
  while (rank % 2 == (ranks - 1) % 2) pause();

  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int word, sum = 0;
  for (int lost = (ranks - 1) % 2; lost < ranks; lost += 2) {
    if (MPI_Recv(&word, 1, MPI_INT, lost, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS) exit(1);
  }
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, half);
  if (rank < 2) printf("the others go on, sum %d\n", sum);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int status = argc > 1 ? atoi(argv[1]) : 9;
  const char* const on = argc > 2 ? argv[2] : "";
  if (strcmp(on, "half") == 0 || strcmp(on, "error") == 0) {
    abort_half(status, strcmp(on, "error") == 0);
  } else {
    const int alone = strcmp(on, "self") == 0;
    if (rank == ranks - 1) MPI_Abort(alone ? MPI_COMM_SELF : MPI_COMM_WORLD, status);
    if (argc < 3) MPI_Barrier(MPI_COMM_WORLD);
    while (argc > 2 && !alone) pause();
  }
  MPI_Finalize();
  return 0;
}
