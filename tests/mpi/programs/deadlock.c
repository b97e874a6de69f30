// SPDX-License-Identifier: Apache-2.0
// Each rank receives from the next, and nobody sends.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, ranks, data;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Recv(&data, 1, MPI_INT, (rank + 1) % ranks, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
