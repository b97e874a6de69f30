// SPDX-License-Identifier: Apache-2.0
// Ends by MPI_Abort of one rank while the others wait for it. The status is the first argument. With a second one, the
// others don't wait, and it says on which communicator: "world" ends them in an endless loop; with "self" they go on.
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int alone = argc > 2 && strcmp(argv[2], "self") == 0;
  if (rank == ranks - 1) MPI_Abort(alone ? MPI_COMM_SELF : MPI_COMM_WORLD, argc > 1 ? atoi(argv[1]) : 9);
  if (argc < 3) MPI_Barrier(MPI_COMM_WORLD);
  while (argc > 2 && !alone) pause();
  MPI_Finalize();
  return 0;
}
