// SPDX-License-Identifier: Apache-2.0
// Errors: the code, the text and its parts.
#include <pthread.h>
#include <string.h>

#include "check.h"

static int line_of_bcast;

static void no_error_yet(void) {
  const cohort_error* error = cohort_last_error();
  CHECK(error->code == COHORT_OK && error->rank == -1 && error->pid == -1 && error->group.pid == -1);
  CHECK(error->text[0] == 0 && error->operation[0] == 0 && error->host[0] == 0 && error->where[0] == 0);
}

static void* in_another_thread(void* nothing) {
  no_error_yet();
  return nothing;
}

// The error of this thread says all this.
static void expect(int code, const char* operation, const char* where, const char* text) {
  const cohort_error* error = cohort_last_error();
  CHECK(error->code == code);
  CHECK(strcmp(error->operation, operation) == 0);
  CHECK(strcmp(error->where, where) == 0);
  CHECK(strstr(error->text, text) != NULL);
  CHECK(strstr(error->text, where) != NULL || strstr(error->text, "called at") == NULL);
}

static void bad_arguments(void) {
  int32_t x = 0, y = 0;
  const char* place = "cohort_bcast";
  CHECK(cohort_bcast(all, &x, 1, COHORT_INT32, ranks) == COHORT_ERROR_ARGUMENT);
  expect(COHORT_ERROR_ARGUMENT, "bcast", place, "is out of range: the group has the ranks 0 to");
  CHECK(cohort_last_error()->rank == me && cohort_last_error()->pid == me && cohort_last_error()->group.pid == 0);
  CHECK(strcmp(cohort_last_error()->host, cohort_process_host(self)) == 0);

  char expected[64];
  line_of_bcast = __LINE__ + 1;
  CHECK(COHORT_HERE(cohort_bcast(all, &x, 1, COHORT_INT32, -2)) == COHORT_ERROR_ARGUMENT);
  snprintf(expected, sizeof expected, "errors.c:%d", line_of_bcast);
  expect(COHORT_ERROR_ARGUMENT, "bcast", expected, "root -2");

  CHECK(cohort_bcast(NULL, &x, 1, COHORT_INT32, 0) == COHORT_ERROR_ARGUMENT);
  expect(COHORT_ERROR_ARGUMENT, "", place, "the group is a null pointer");
  CHECK(cohort_bcast(all, &x, 1, 0, 0) == COHORT_ERROR_ARGUMENT);
  expect(COHORT_ERROR_ARGUMENT, "", place, "there is no element type of the number 0");
  CHECK(cohort_bcast(all, &x, 1, 200, 0) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_bcast(all, &x, 1, COHORT_LOCATED(COHORT_BYTE), 0) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_bcast(all, NULL, 1, COHORT_INT32, 0) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_combine(all, &x, &y, -1, COHORT_INT32, COHORT_SUM) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_request_wait(NULL) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_index_counts(all, &x, NULL, &y, NULL, COHORT_INT32) == COHORT_ERROR_ARGUMENT);
}

// A call without a place for its request starts nothing.
static void nothing_started(void) {
  int32_t x = me;
  CHECK(cohort_start_bcast(all, &x, 1, COHORT_INT32, 0, NULL) == COHORT_ERROR_ARGUMENT);
  expect(COHORT_ERROR_ARGUMENT, "", "cohort_start_bcast", "the place for the request is a null pointer");
  CHECK(cohort_prepare_bcast(all, &x, 1, COHORT_INT32, 0, NULL) == COHORT_ERROR_ARGUMENT);
  COHORT_MUST(cohort_sync(all));
  CHECK(x == me);
}

static void bad_operators(void) {
  double x[2] = {0, 0}, y[2] = {0, 0};
  CHECK(cohort_combine(all, x, y, 1, COHORT_DOUBLE, COHORT_BIT_AND) == COHORT_ERROR_ARGUMENT);
  expect(COHORT_ERROR_ARGUMENT, "", "cohort_combine", "COHORT_BIT_AND is not defined for double");
  CHECK(cohort_combine(all, x, y, 1, COHORT_COMPLEX_DOUBLE, COHORT_MAXIMUM) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_combine(all, x, y, 1, COHORT_COMPLEX_DOUBLE, COHORT_LOGICAL_OR) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_combine(all, x, y, 1, COHORT_DOUBLE, COHORT_MINIMUM_AT) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_combine(all, x, y, 1, COHORT_LOCATED(COHORT_DOUBLE), COHORT_SUM) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_combine(all, x, y, 1, COHORT_BYTE, COHORT_SUM) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_combine(all, x, y, 1, cohort_type_of_size(8), COHORT_SUM) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_combine(all, x, y, 1, COHORT_DOUBLE, NULL) == COHORT_ERROR_ARGUMENT);
  const cohort_operator empty = {0};
  CHECK(cohort_combine(all, x, y, 1, COHORT_DOUBLE, &empty) == COHORT_ERROR_ARGUMENT);
  expect(COHORT_ERROR_ARGUMENT, "", "cohort_combine", "the operator's function is a null pointer");
}

static void truncated(void) {
  const int32_t sent[3] = {1, 2, 3};
  int32_t received = 0;
  COHORT_MUST(cohort_send(all, sent, 3, COHORT_INT32, me, 1));
  CHECK(cohort_receive(all, &received, 1, COHORT_INT32, me, 1, NULL) == COHORT_ERROR_TRUNCATED);
  expect(COHORT_ERROR_TRUNCATED, "receive", "cohort_receive", "receive");
  // The error of a request names the line where the operation was started.
  cohort_request* request = NULL;
  COHORT_MUST(cohort_start_receive(all, &received, 1, COHORT_INT32, me, 2, &request));
  COHORT_MUST(cohort_send(all, sent, 3, COHORT_INT32, me, 2));
  CHECK(cohort_request_wait(request) == COHORT_ERROR_TRUNCATED);
  CHECK(strncmp(cohort_last_error()->where, "errors.c:", 9) == 0);
  CHECK(cohort_request_wait(request) == COHORT_OK);
  cohort_request_free(request);
}

static void names(void) {
  CHECK(strcmp(cohort_error_name(COHORT_OK), "ok") == 0);
  CHECK(strcmp(cohort_error_name(COHORT_ERROR_ARGUMENT), "argument") == 0);
  CHECK(strcmp(cohort_error_name(COHORT_ERROR_PEER_LOST), "peer_lost") == 0);
  CHECK(strcmp(cohort_error_name(COHORT_ERROR_INTERNAL), "internal") == 0);
  CHECK(strcmp(cohort_error_name(COHORT_ERROR_INTERNAL + 1), "unknown") == 0);
  CHECK(strcmp(cohort_error_name(-1), "unknown") == 0);
  CHECK(strlen(cohort_version()) > 0);
}

int main(void) {
  no_error_yet();
  CHECK(cohort_join(NULL) == COHORT_ERROR_ARGUMENT);
  join_job();
  bad_arguments();
  nothing_started();
  bad_operators();
  truncated();
  names();
  cohort_process* again = NULL;
  CHECK(cohort_join(&again) == COHORT_ERROR_JOB);
  expect(COHORT_ERROR_JOB, "", "cohort_join", "");

  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, in_another_thread, NULL) == 0 && pthread_join(thread, NULL) == 0);
  CHECK(cohort_last_error()->code == COHORT_ERROR_JOB);
  COHORT_MUST(cohort_sync(all));  // nothing has happened to the group
  leave_job("errors");
}
