// Ends by MPI_Abort of one rank while the others wait for it. The status is the first argument.
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == ranks - 1) MPI_Abort(MPI_COMM_WORLD, argc > 1 ? atoi(argv[1]) : 9);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
