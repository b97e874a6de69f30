// SPDX-License-Identifier: Apache-2.0
// What requests are worth when their operation is over: null, inactive, freed, persistent, generalized.
#include "waits.h"

static void no_request_yet(void) {
  int flag = 0, place = 0;
  MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
  EXPECT_EQ(flag, 1);
  flag = 0;
  MPI_Testany(0, NULL, &place, &flag, MPI_STATUS_IGNORE);
  EXPECT_EQ(flag, 1);
  EXPECT_EQ(place, MPI_UNDEFINED);
  MPI_Testsome(0, NULL, &flag, &place, MPI_STATUSES_IGNORE);
  EXPECT_EQ(flag, MPI_UNDEFINED);
}

static void null_and_inactive_requests(void) {
  MPI_Request null = MPI_REQUEST_NULL, kept, mixed[3];
  MPI_Status status = {.MPI_ERROR = MPI_ERR_OTHER};
  int data = 0, flag = 0, count = -1, places[3];
  MPI_Wait(&null, &status);
  expect_empty(&status);
  MPI_Test(&null, &flag, &status);
  EXPECT_EQ(flag, 1);
  expect_empty(&status);
  flag = 0;
  MPI_Request_get_status(null, &flag, &status);
  EXPECT_EQ(flag, 1);
  expect_empty(&status);

  MPI_Recv_init(&data, 1, MPI_INT, me, 5, MPI_COMM_WORLD, &kept);
  MPI_Wait(&kept, &status);  // inactive: at once
  expect_empty(&status);
  EXPECT(kept != MPI_REQUEST_NULL);
  flag = 0;
  MPI_Test(&kept, &flag, &status);
  EXPECT_EQ(flag, 1);
  expect_empty(&status);

  // One of three is active.
  mixed[0] = MPI_REQUEST_NULL, mixed[1] = kept;
  MPI_Irecv(&data, 1, MPI_INT, me, 6, MPI_COMM_WORLD, &mixed[2]);
  MPI_Testsome(3, mixed, &count, places, MPI_STATUSES_IGNORE);
  EXPECT_EQ(count, 0);
  MPI_Testall(3, mixed, &flag, MPI_STATUSES_IGNORE);
  EXPECT_EQ(flag, 0);
  MPI_Testany(3, mixed, &count, &flag, &status);
  EXPECT_EQ(flag, 0);
  EXPECT_EQ(count, MPI_UNDEFINED);
  MPI_Send(&me, 1, MPI_INT, me, 6, MPI_COMM_WORLD);
  MPI_Waitany(3, mixed, &count, &status);
  EXPECT_EQ(count, 2);
  EXPECT_EQ(status.MPI_TAG, 6);
  EXPECT_EQ(status.MPI_ERROR, MPI_ERR_OTHER);  // one status, of an operation: not changed
  MPI_Status statuses[3];
  MPI_Waitall(3, mixed, statuses);
  for (int at = 0; at < 3; ++at) expect_empty(&statuses[at]);
  MPI_Request_free(&kept);
  EXPECT(kept == MPI_REQUEST_NULL);
}

// A status is asked for any number of times before the request is freed.
static void asked_twice(void) {
  int data = -1, flag = 0, count = 0;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&data, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request);
  MPI_Request_get_status(request, &flag, &status);
  EXPECT_EQ(flag, 0);
  MPI_Send(&me, 1, MPI_INT, 0, 8, MPI_COMM_SELF);
  for (int time = 0; time < 3; ++time) {
    for (flag = 0; !flag;) MPI_Request_get_status(request, &flag, &status);
    EXPECT_EQ(status.MPI_SOURCE, 0);
    EXPECT_EQ(status.MPI_TAG, 8);
    EXPECT(request != MPI_REQUEST_NULL);
  }
  MPI_Wait(&request, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(data, me);
  EXPECT(request == MPI_REQUEST_NULL);
}

// Persistent requests around a ring, started one by one or all at once, again and again.
static void persistent_ring(int form) {
  enum { COUNT = 3000, TIMES = 6 };
  static double out[COUNT], in[COUNT];
  const int to = (me + 1) % ranks, from = (me - 1 + ranks) % ranks;
  MPI_Request requests[2];
  MPI_Status statuses[2];
  MPI_Send_init(out, COUNT, MPI_DOUBLE, to, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Recv_init(in, COUNT, MPI_DOUBLE, from, 2, MPI_COMM_WORLD, &requests[1]);
  for (int time = 0; time < TIMES; ++time) {
    for (int at = 0; at < COUNT; ++at) out[at] = me + at * time;
    if (time % 2) {
      MPI_Startall(2, requests);
    } else {
      MPI_Start(&requests[1]);
      MPI_Start(&requests[0]);
    }
    complete(form, 2, requests, statuses);
    for (int at = 0; at < COUNT; ++at) EXPECT(in[at] == from + at * time);
    EXPECT_EQ(statuses[1].MPI_SOURCE, from);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

// A request that is freed while its operation goes on. The receiver knows that it is over.
static void freed_while_active(void) {
  static int out[100], in[100];
  MPI_Request request;
  MPI_Isend(out, 100, MPI_INT, (me + 1) % ranks, 3, MPI_COMM_WORLD, &request);
  MPI_Request_free(&request);
  EXPECT(request == MPI_REQUEST_NULL);
  MPI_Recv(in, 100, MPI_INT, (me - 1 + ranks) % ranks, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Barrier(MPI_COMM_WORLD);
}

// Cancel of a receive that has its message has no effect.
static void too_late_to_cancel(void) {
  int data = -1, flag = 0, cancelled = -1;
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&data, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request);
  MPI_Send(&me, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
  while (!flag) MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  EXPECT_EQ(cancelled, 0);
  EXPECT_EQ(data, me);
}

// Asks so often whether any of the requests is complete. Returns the place of the first one, or MPI_UNDEFINED.
enum { OFTEN = 100, UNTIL_IT_IS = 1000000 };
static int ask_for_one(int form, int n, MPI_Request* requests, int times) {
  int number = 0, flag = 0, places[8] = {MPI_UNDEFINED};
  for (int time = 0; time < times && !flag && number == 0; ++time) {
    if (form == 0) {
      MPI_Testany(n, requests, places, &flag, MPI_STATUS_IGNORE);
    } else {
      MPI_Testsome(n, requests, &number, places, MPI_STATUSES_IGNORE);
    }
  }
  return flag || number == 1 ? places[0] : MPI_UNDEFINED;
}

static int no_query(void* state, MPI_Status* status) {
  (void)state;
  return MPI_Status_set_elements(status, MPI_INT, 0), MPI_Status_set_cancelled(status, 0), MPI_SUCCESS;
}
static int no_free(void* state) { return (void)state, MPI_SUCCESS; }
static int no_cancel(void* state, int complete) { return (void)state, (void)complete, MPI_SUCCESS; }

// Whatever completes one of some requests that were not complete when the program asked last is seen.
static void asked_again(int form) {
  enum { FEW = 5, KEPT = 3, OWN = 4 };
  int data[FEW], flag = 0;
  MPI_Request requests[FEW];
  for (int at = 0; at < KEPT; ++at) MPI_Irecv(&data[at], 1, MPI_INT, 0, at, MPI_COMM_SELF, &requests[at]);
  MPI_Send_init(&data[KEPT], 1, MPI_INT, 0, 9, MPI_COMM_SELF, &requests[KEPT]);
  requests[OWN] = MPI_REQUEST_NULL;
  for (int time = 0; time < 20; ++time) {
    EXPECT_EQ(ask_for_one(form, FEW, requests, OFTEN), MPI_UNDEFINED);

    MPI_Send(&time, 1, MPI_INT, 0, 1, MPI_COMM_SELF);  // a message comes
    EXPECT_EQ(ask_for_one(form, FEW, requests, UNTIL_IT_IS), 1);
    EXPECT_EQ(data[1], time);
    MPI_Irecv(&data[1], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &requests[1]);
    EXPECT_EQ(ask_for_one(form, FEW, requests, OFTEN), MPI_UNDEFINED);

    MPI_Start(&requests[KEPT]);  // an inactive one is started, and complete at once
    EXPECT_EQ(ask_for_one(form, FEW, requests, UNTIL_IT_IS), KEPT);
    MPI_Recv(&data[KEPT], 1, MPI_INT, 0, 9, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    EXPECT_EQ(ask_for_one(form, FEW, requests, OFTEN), MPI_UNDEFINED);

    MPI_Request_free(&requests[KEPT]);  // a new one is complete at once, perhaps at the old address
    MPI_Isend(&time, 1, MPI_INT, (me + 1) % ranks, 9, MPI_COMM_WORLD, &requests[KEPT]);
    EXPECT_EQ(ask_for_one(form, FEW, requests, UNTIL_IT_IS), KEPT);
    MPI_Recv(&data[KEPT], 1, MPI_INT, (me - 1 + ranks) % ranks, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send_init(&data[KEPT], 1, MPI_INT, 0, 9, MPI_COMM_SELF, &requests[KEPT]);

    MPI_Grequest_start(no_query, no_free, no_cancel, NULL, &requests[OWN]);  // the program completes its own
    EXPECT_EQ(ask_for_one(form, FEW, requests, OFTEN), MPI_UNDEFINED);
    MPI_Grequest_complete(requests[OWN]);
    EXPECT_EQ(ask_for_one(form, FEW, requests, UNTIL_IT_IS), OWN);
    EXPECT(requests[OWN] == MPI_REQUEST_NULL);

    EXPECT_EQ(ask_for_one(form, FEW, requests, OFTEN), MPI_UNDEFINED);
    MPI_Cancel(&requests[2]);
    EXPECT_EQ(ask_for_one(form, FEW, requests, UNTIL_IT_IS), 2);
    MPI_Irecv(&data[2], 1, MPI_INT, 0, 2, MPI_COMM_SELF, &requests[2]);
  }
  for (int at = 0; at < KEPT; ++at) {  // all of several, in any order
    MPI_Testall(FEW, requests, &flag, MPI_STATUSES_IGNORE);
    EXPECT_EQ(flag, 0);
    MPI_Send(&at, 1, MPI_INT, 0, (at + 1) % KEPT, MPI_COMM_SELF);
  }
  for (int time = 0; time < UNTIL_IT_IS && !flag; ++time) MPI_Testall(FEW, requests, &flag, MPI_STATUSES_IGNORE);
  EXPECT_EQ(flag, 1);
  MPI_Request_free(&requests[KEPT]);
}

// As many to each rank as from it.
static void many_requests(int form) {
  enum { MANY = 600 };
  static int out[MANY], in[MANY];
  static MPI_Request requests[2 * MANY];
  static MPI_Status statuses[2 * MANY];
  const int count = MANY / ranks * ranks;
  for (int at = 0; at < count; ++at) {
    MPI_Irecv(&in[at], 1, MPI_INT, at % ranks, at / ranks, MPI_COMM_WORLD, &requests[at]);
  }
  for (int at = 0; at < count; ++at) {
    out[at] = me * MANY + at / ranks;
    MPI_Isend(&out[at], 1, MPI_INT, at % ranks, at / ranks, MPI_COMM_WORLD, &requests[count + at]);
  }
  complete(form, 2 * count, requests, statuses);
  for (int at = 0; at < count; ++at) {
    EXPECT_EQ(in[at], at % ranks * MANY + at / ranks);
    EXPECT_EQ(statuses[at].MPI_TAG, at / ranks);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char** argv) {
  begin(argc, argv, "completion", 1);
  no_request_yet();
  null_and_inactive_requests();
  asked_twice();
  for (int form = 0; form < WAIT_FORMS; ++form) persistent_ring(form);
  freed_while_active();
  too_late_to_cancel();
  for (int form = 0; form < 2; ++form) asked_again(form);
  for (int form = 0; form < WAIT_FORMS; ++form) many_requests(form);
  return finish();
}
