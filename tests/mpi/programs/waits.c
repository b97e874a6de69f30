// SPDX-License-Identifier: Apache-2.0
#include "waits.h"

void expect_empty(MPI_Status* status) {
  int count = -1, cancelled = -1;
  MPI_Get_count(status, MPI_BYTE, &count);
  MPI_Test_cancelled(status, &cancelled);
  EXPECT_EQ(status->MPI_SOURCE, MPI_ANY_SOURCE);
  EXPECT_EQ(status->MPI_TAG, MPI_ANY_TAG);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(cancelled, 0);
  EXPECT_EQ(status->MPI_ERROR, MPI_SUCCESS);
  status->MPI_ERROR = MPI_ERR_OTHER;
}

static void one_by_one(int count, MPI_Request* requests, MPI_Status* statuses) {
  for (int at = count - 1; at >= 0; --at) MPI_Wait(&requests[at], &statuses[at]);
}

static void test_each(int count, MPI_Request* requests, MPI_Status* statuses) {
  for (int at = 0; at < count; ++at) {
    int done = 0;
    while (!done) MPI_Request_get_status(requests[at], &done, MPI_STATUS_IGNORE);
    MPI_Test(&requests[at], &done, &statuses[at]);
    EXPECT_EQ(done, 1);
  }
}

static void any(bool blocking, int count, MPI_Request* requests, MPI_Status* statuses) {
  for (int left = count; left > 0;) {
    int at = -1, done = 1;
    MPI_Status status;
    if (blocking) {
      MPI_Waitany(count, requests, &at, &status);
    } else {
      MPI_Testany(count, requests, &at, &done, &status);
    }
    if (!done) {
      EXPECT_EQ(at, MPI_UNDEFINED);
      continue;
    }
    EXPECT(at >= 0 && at < count);
    statuses[at] = status;
    --left;
  }
}

static void some(bool blocking, int count, MPI_Request* requests, MPI_Status* statuses) {
  int* places = allocate(sizeof(int) * (size_t)count);
  MPI_Status* found = allocate(sizeof(MPI_Status) * (size_t)count);
  for (int left = count; left > 0;) {
    int done = -1;
    (blocking ? MPI_Waitsome : MPI_Testsome)(count, requests, &done, places, found);
    EXPECT(done >= (blocking ? 1 : 0) && done <= left);
    for (int at = 0; at < done; ++at) statuses[places[at]] = found[at];
    left -= done;
  }
  free(found);
  free(places);
}

// All are complete, so they are null or inactive: there is nothing to wait for.
static void expect_nothing_left(int count, MPI_Request* requests) {
  int at = 0, done = 0, places[1];
  MPI_Status status = {.MPI_ERROR = MPI_ERR_OTHER};
  MPI_Waitany(count, requests, &at, &status);
  EXPECT_EQ(at, MPI_UNDEFINED);
  expect_empty(&status);
  at = 0;
  MPI_Testany(count, requests, &at, &done, &status);
  EXPECT_EQ(done, 1);
  EXPECT_EQ(at, MPI_UNDEFINED);
  expect_empty(&status);
  MPI_Waitsome(count, requests, &at, places, MPI_STATUSES_IGNORE);
  EXPECT_EQ(at, MPI_UNDEFINED);
  at = 0;
  MPI_Testsome(count, requests, &at, places, MPI_STATUSES_IGNORE);
  EXPECT_EQ(at, MPI_UNDEFINED);
  done = 0;
  MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE);
  EXPECT_EQ(done, 1);
}

void complete(int form, int count, MPI_Request* requests, MPI_Status* statuses) {
  int done = 0;
  switch (form) {
    case 0:
      MPI_Waitall(count, requests, statuses);
      break;
    case 1:
      one_by_one(count, requests, statuses);
      break;
    case 2:
      any(true, count, requests, statuses);
      break;
    case 3:
      some(true, count, requests, statuses);
      break;
    case 4:
      test_each(count, requests, statuses);
      break;
    case 5:
      any(false, count, requests, statuses);
      break;
    case 6:
      some(false, count, requests, statuses);
      break;
    default:
      while (!done) MPI_Testall(count, requests, &done, statuses);
  }
  expect_nothing_left(count, requests);
}
