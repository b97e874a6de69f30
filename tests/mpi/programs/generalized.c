// SPDX-License-Identifier: Apache-2.0
// Generalized requests: their callbacks are called when the standard says so, and as often.
#include "waits.h"

struct Task {
  int queries, frees, cancels, answer, last_cancel;
};

static MPI_Datatype pair;  // of ints

static int query(void* state, MPI_Status* status) {
  struct Task* task = state;
  ++task->queries;
  status->MPI_SOURCE = task->answer;
  status->MPI_TAG = 99;
  MPI_Status_set_elements(status, pair, 5);
  MPI_Status_set_cancelled(status, task->cancels > 0);
  return MPI_SUCCESS;
}

static int release(void* state) {
  ++((struct Task*)state)->frees;
  return MPI_SUCCESS;
}

static int cancel(void* state, int complete) {
  struct Task* task = state;
  ++task->cancels;
  task->last_cancel = complete;
  return MPI_SUCCESS;
}

static void expect_status(const struct Task* task, const MPI_Status* status) {
  int elements = -1, count = -1, cancelled = -1;
  MPI_Count many = -1;
  MPI_Get_elements(status, pair, &elements);
  MPI_Get_elements_x(status, pair, &many);
  MPI_Get_count(status, pair, &count);
  MPI_Test_cancelled(status, &cancelled);
  EXPECT_EQ(status->MPI_SOURCE, task->answer);
  EXPECT_EQ(status->MPI_TAG, 99);
  EXPECT_EQ(elements, 5);
  EXPECT_EQ(many, 5);
  EXPECT_EQ(count, MPI_UNDEFINED);
  EXPECT_EQ(cancelled, task->cancels > 0);
}

static void completed_by_the_program(int form) {
  struct Task tasks[2] = {{.answer = 1}, {.answer = 2}};
  MPI_Request requests[3];
  MPI_Status statuses[3];
  int flag = -1, data = 0;
  MPI_Grequest_start(query, release, cancel, &tasks[0], &requests[0]);
  MPI_Grequest_start(query, release, cancel, &tasks[1], &requests[1]);
  MPI_Irecv(&data, 1, MPI_INT, 0, 4, MPI_COMM_SELF, &requests[2]);
  MPI_Testall(3, requests, &flag, statuses);
  EXPECT_EQ(flag, 0);
  EXPECT_EQ(tasks[0].frees, 0);
  MPI_Send(&me, 1, MPI_INT, 0, 4, MPI_COMM_SELF);
  MPI_Grequest_complete(requests[1]);
  MPI_Grequest_complete(requests[0]);
  complete(form, 3, requests, statuses);
  for (int at = 0; at < 2; ++at) {
    expect_status(&tasks[at], &statuses[at]);
    EXPECT(requests[at] == MPI_REQUEST_NULL);
    EXPECT_EQ(tasks[at].frees, 1);
    EXPECT(tasks[at].queries >= 1);
  }
  EXPECT_EQ(statuses[2].MPI_TAG, 4);
}

static void cancelled(void) {
  struct Task task = {.answer = 3};
  MPI_Request request;
  MPI_Status status;
  MPI_Grequest_start(query, release, cancel, &task, &request);
  MPI_Cancel(&request);
  EXPECT_EQ(task.cancels, 1);
  EXPECT_EQ(task.last_cancel, 0);
  MPI_Grequest_complete(request);
  MPI_Wait(&request, &status);
  expect_status(&task, &status);
  EXPECT_EQ(task.frees, 1);
}

static void freed(void) {
  struct Task task = {.answer = 4};
  MPI_Request request, copy;
  MPI_Grequest_start(query, release, cancel, &task, &request);
  copy = request;
  MPI_Request_free(&request);
  EXPECT(request == MPI_REQUEST_NULL);
  EXPECT_EQ(task.frees, 0);
  MPI_Grequest_complete(copy);
  EXPECT_EQ(task.frees, 1);
}

static void large_counts(void) {
  const MPI_Count counts[] = {60, ((MPI_Count)1 << 31) + 7, ((MPI_Count)1 << 62) + 5};
  for (int at = 0; at < 3; ++at) {
    MPI_Status status = {0};
    MPI_Count found = -1;
    int is_cancelled = -1;
    MPI_Status_set_cancelled(&status, at % 2);
    MPI_Status_set_elements_x(&status, MPI_BYTE, counts[at]);
    MPI_Get_elements_x(&status, MPI_BYTE, &found);
    MPI_Test_cancelled(&status, &is_cancelled);
    EXPECT_EQ(found, counts[at]);
    EXPECT_EQ(is_cancelled, at % 2);
  }
}

int main(int argc, char** argv) {
  begin(argc, argv, "generalized", 1);
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  for (int form = 0; form < WAIT_FORMS; ++form) completed_by_the_program(form);
  cancelled();
  freed();
  large_counts();
  MPI_Type_free(&pair);
  return finish();
}
