// SPDX-License-Identifier: Apache-2.0
// Messages that are longer than their receive.
#include "check.h"

// A message that is too long is an error of its receive alone. What is behind the buffer stays, and so do later
// messages.
static void too_long(int bytes, int form) {
  enum { ROOM = 10, GUARD = 77 };
  char* data = allocate((size_t)bytes);
  char room[ROOM + 1], later[3] = "";
  memset(data, 1, (size_t)bytes);
  memset(room, GUARD, sizeof room);
  const int to = (me + 1) % ranks, from = (me - 1 + ranks) % ranks;
  MPI_Request sends[2], request;
  MPI_Isend(data, bytes, MPI_CHAR, to, 1, MPI_COMM_WORLD, &sends[0]);
  MPI_Isend("ok", 3, MPI_CHAR, to, 1, MPI_COMM_WORLD, &sends[1]);
  MPI_Status status;
  int index = -1;
  if (form == 0) {
    EXPECT_CLASS(MPI_Recv(room, ROOM, MPI_CHAR, from, 1, MPI_COMM_WORLD, &status), MPI_ERR_TRUNCATE);
  } else {
    MPI_Irecv(room, ROOM, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    if (form == 1) EXPECT_CLASS(MPI_Wait(&request, &status), MPI_ERR_TRUNCATE);
    if (form == 2) EXPECT_CLASS(MPI_Waitall(1, &request, &status), MPI_ERR_IN_STATUS);
    if (form == 2) EXPECT_EQ(class_of(status.MPI_ERROR), MPI_ERR_TRUNCATE);
    if (form == 3) EXPECT_CLASS(MPI_Waitany(1, &request, &index, &status), MPI_ERR_TRUNCATE);
    if (form == 3) EXPECT_EQ(index, 0);
    EXPECT(request == MPI_REQUEST_NULL);
  }
  EXPECT_EQ(status.MPI_SOURCE, from);
  EXPECT_EQ(status.MPI_TAG, 1);
  EXPECT_EQ(room[ROOM], GUARD);
  MPI_Recv(later, 3, MPI_CHAR, from, 1, MPI_COMM_WORLD, &status);
  EXPECT_BYTES(later, "ok", 3);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
  free(data);
  MPI_Barrier(MPI_COMM_WORLD);
}

// As much as there is room for, and one element more, of a type in pieces.
static void too_long_in_pieces(void) {
  enum { ROOM = 4000 };
  static int data[ROOM + 1], room[2 * ROOM + 2];
  MPI_Datatype every_second;
  MPI_Type_vector(ROOM, 1, 2, MPI_INT, &every_second);
  MPI_Type_commit(&every_second);
  const int to = (me + 1) % ranks, from = (me - 1 + ranks) % ranks;
  for (int more = 0; more < 2; ++more) {
    MPI_Request request;
    for (int at = 0; at <= ROOM; ++at) data[at] = at + 1;
    memset(room, 0, sizeof room);
    MPI_Isend(data, ROOM + more, MPI_INT, to, 2, MPI_COMM_WORLD, &request);
    EXPECT_CLASS(MPI_Recv(room, 1, every_second, from, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
                 more ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    for (int at = 0; at < ROOM && !more; ++at) EXPECT_EQ(room[2 * at], at + 1);
    for (int at = 0; at < ROOM; ++at) EXPECT_EQ(room[2 * at + 1], 0);
    EXPECT_EQ(room[2 * ROOM], 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Type_free(&every_second);
}

int main(int argc, char** argv) {
  begin(argc, argv, "truncation", 1);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int form = 0; form < 4; ++form) {
    too_long(11, form);
    too_long(300000, form);
  }
  too_long_in_pieces();
  return finish();
}
