// SPDX-License-Identifier: Apache-2.0
// Null processes, messages to oneself, exchanges, wrong arguments, buffers for buffered sends.
#include "waits.h"

static void null_processes(void) {
  MPI_Status status;
  MPI_Request requests[4];
  MPI_Message message = MPI_MESSAGE_NULL;
  int data = 5, flag = 0, count = -1;
  MPI_Send(&data, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
  MPI_Ssend(&data, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
  MPI_Recv(&data, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
  EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  EXPECT_EQ(status.MPI_TAG, MPI_ANY_TAG);
  MPI_Get_count(&status, MPI_INT, &count);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(data, 5);

  MPI_Isend(&data, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&data, 1, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[1]);
  MPI_Recv_init(&data, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[2]);
  MPI_Send_init(&data, 1, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[3]);
  MPI_Startall(2, requests + 2);
  MPI_Status statuses[4];
  MPI_Waitall(4, requests, statuses);
  for (int at = 1; at < 3; ++at) EXPECT_EQ(statuses[at].MPI_SOURCE, MPI_PROC_NULL);
  MPI_Request_free(&requests[2]);
  MPI_Request_free(&requests[3]);

  MPI_Probe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &status);
  EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  MPI_Iprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &status);
  EXPECT_EQ(flag, 1);
  MPI_Mprobe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &message, &status);
  EXPECT(message == MPI_MESSAGE_NO_PROC);
  MPI_Mrecv(&data, 1, MPI_INT, &message, &status);
  EXPECT(message == MPI_MESSAGE_NULL);
  EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
  flag = 0;
  MPI_Improbe(MPI_PROC_NULL, 3, MPI_COMM_WORLD, &flag, &message, &status);
  EXPECT_EQ(flag, 1);
  EXPECT(message == MPI_MESSAGE_NO_PROC);
  MPI_Imrecv(&data, 1, MPI_INT, &message, &requests[0]);
  MPI_Wait(&requests[0], &status);
  EXPECT_EQ(status.MPI_SOURCE, MPI_PROC_NULL);
}

// A line of ranks, with null processes at its ends.
static void exchanges(void) {
  const int before = me == 0 ? MPI_PROC_NULL : me - 1, after = me == ranks - 1 ? MPI_PROC_NULL : me + 1;
  for (int count = 1; count <= 100000; count *= 10) {
    int* mine = allocate(sizeof(int) * (size_t)count);
    int* theirs = allocate(sizeof(int) * (size_t)count);
    for (int at = 0; at < count; ++at) mine[at] = me * 7 + at, theirs[at] = -1;
    MPI_Status status;
    MPI_Sendrecv(mine, count, MPI_INT, after, 1, theirs, count, MPI_INT, before, 1, MPI_COMM_WORLD, &status);
    EXPECT_EQ(status.MPI_SOURCE, before);
    for (int at = 0; at < count; ++at) EXPECT_EQ(theirs[at], before == MPI_PROC_NULL ? -1 : (me - 1) * 7 + at);

    MPI_Sendrecv_replace(mine, count, MPI_INT, before, 2, after, 2, MPI_COMM_WORLD, &status);
    EXPECT_EQ(status.MPI_SOURCE, after);
    for (int at = 0; at < count; ++at) EXPECT_EQ(mine[at], (after == MPI_PROC_NULL ? me : me + 1) * 7 + at);

    MPI_Sendrecv(mine, count, MPI_INT, me, 3, theirs, count, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    EXPECT_BYTES(theirs, mine, sizeof(int) * (size_t)count);
    free(mine);
    free(theirs);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

// Every second element, so a message in pieces that replaces itself.
static void replaced_in_pieces(void) {
  enum { COUNT = 5000 };
  static int data[2 * COUNT];
  MPI_Datatype every_second;
  MPI_Type_vector(COUNT, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  for (int at = 0; at < 2 * COUNT; ++at) data[at] = me * 100000 + at;
  const int from = (me - 1 + ranks) % ranks;
  MPI_Sendrecv_replace(data, 1, every_second, (me + 1) % ranks, 9, from, MPI_ANY_TAG, MPI_COMM_WORLD,
                       MPI_STATUS_IGNORE);
  for (int at = 0; at < 2 * COUNT; ++at) EXPECT_EQ(data[at], (at % 2 ? me : from) * 100000 + at);
  MPI_Type_free(&every_second);
}

static void wrong_arguments(void) {
  int data = 0, *upper, flag = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &upper, &flag);
  EXPECT_EQ(flag, 1);
  EXPECT_CLASS(MPI_Send(&data, 1, MPI_INT, ranks, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  EXPECT_CLASS(MPI_Send(&data, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD), MPI_ERR_RANK);
  EXPECT_CLASS(MPI_Recv(&data, 1, MPI_INT, -50, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE), MPI_ERR_RANK);
  EXPECT_CLASS(MPI_Send(&data, -1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_COUNT);
  EXPECT_CLASS(MPI_Isend(&data, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &request), MPI_ERR_TAG);
  EXPECT_CLASS(MPI_Irecv(&data, 1, MPI_INT, 0, -50, MPI_COMM_WORLD, &request), MPI_ERR_TAG);
  EXPECT_CLASS(MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_NULL), MPI_ERR_COMM);
  EXPECT_CLASS(MPI_Send(&data, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);
  if (*upper < 2147483647) EXPECT_CLASS(MPI_Send(&data, 1, MPI_INT, 0, *upper + 1, MPI_COMM_WORLD), MPI_ERR_TAG);
  MPI_Datatype open;
  MPI_Type_contiguous(2, MPI_INT, &open);
  EXPECT_CLASS(MPI_Send(&data, 1, open, 0, 0, MPI_COMM_WORLD), MPI_ERR_TYPE);  // not committed
  MPI_Type_free(&open);
  MPI_Sendrecv(&me, 1, MPI_INT, me, *upper, &data, 1, MPI_INT, me, *upper, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  EXPECT_EQ(data, me);
}

static void buffers(void) {
  enum { COUNT = 1000, MESSAGES = 5 };
  int packed = 0, bytes = 0;
  MPI_Pack_size(COUNT, MPI_INT, MPI_COMM_WORLD, &packed);
  const int size = MESSAGES * (packed + MPI_BSEND_OVERHEAD);
  void *buffer = allocate((size_t)size), *detached = NULL;
  static int data[COUNT], found[COUNT];
  MPI_Comm apart;  // of which nothing is asked after the error
  MPI_Comm_dup(MPI_COMM_WORLD, &apart);
  EXPECT_CLASS(MPI_Bsend(data, COUNT, MPI_INT, me, 4, apart), MPI_ERR_BUFFER);  // there is none yet
  MPI_Comm_free(&apart);
  for (int round = 0; round < 3; ++round) {
    MPI_Buffer_attach(buffer, size);
    for (int message = 0; message < MESSAGES; ++message) {
      for (int at = 0; at < COUNT; ++at) data[at] = at * message + round;
      EXPECT_CLASS(MPI_Bsend(data, COUNT, MPI_INT, me, 4, MPI_COMM_WORLD), MPI_SUCCESS);
    }
    for (int message = 0; message < MESSAGES; ++message) {
      MPI_Recv(found, COUNT, MPI_INT, me, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      for (int at = 0; at < COUNT; ++at) EXPECT_EQ(found[at], at * message + round);
    }
    MPI_Buffer_detach(&detached, &bytes);  // waits until all are away
    EXPECT(detached == buffer);
    EXPECT_EQ(bytes, size);
  }
  free(buffer);
}

int main(int argc, char** argv) {
  begin(argc, argv, "point_to_point", 1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  null_processes();
  exchanges();
  replaced_in_pieces();
  wrong_arguments();
  buffers();
  return finish();
}
