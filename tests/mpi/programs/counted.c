// SPDX-License-Identifier: Apache-2.0
// Calls that pmpi_counter.c counts: at each rank 3 sends, 3 receives, 2 reductions and a barrier.
#include "check.h"

int main(int argc, char** argv) {
  begin(argc, argv, "counted", 1);
  int data = me, sum = 0;
  for (int turn = 0; turn < 3; ++turn) {
    MPI_Request request;
    MPI_Irecv(&data, 1, MPI_INT, (me - 1 + ranks) % ranks, turn, MPI_COMM_WORLD, &request);
    MPI_Send(&me, 1, MPI_INT, (me + 1) % ranks, turn, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    EXPECT_EQ(data, (me - 1 + ranks) % ranks);
  }
  for (int turn = 0; turn < 2; ++turn) MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_EQ(sum, ranks * (ranks - 1) / 2);
  return finish();
}
