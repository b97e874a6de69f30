// SPDX-License-Identifier: Apache-2.0
// Operations in progress: test, wait for one or all, cancel; and what is left of them.
#include "check.h"

enum { messages = 5 };

static int32_t in[messages];
static cohort_request* requests[messages + 1];  // the last one is null: it is passed over

static void start_receives(uint32_t first_tag) {
  for (int i = 0; i < messages; ++i) {
    in[i] = -1;
    COHORT_MUST(cohort_start_receive(all, &in[i], 1, COHORT_INT32, me, first_tag + (uint32_t)i, &requests[i]));
  }
}

static void send_to_myself(uint32_t tag) {
  const int32_t value = (int32_t)(1000 + tag);
  COHORT_MUST(cohort_send(all, &value, 1, COHORT_INT32, me, tag));
}

static void free_all(void) {
  for (int i = 0; i < messages; ++i) {
    cohort_request_free(requests[i]);
    requests[i] = NULL;
  }
}

static void in_the_order_of_arrival(void) {
  static const int order[messages] = {3, 0, 4, 1, 2};
  start_receives(0);
  int64_t place = -1;
  for (int i = 0; i < messages; ++i) {
    send_to_myself((uint32_t)order[i]);
    COHORT_MUST(cohort_request_wait_any(requests, messages + 1, &place));
    CHECK(place == order[i] && in[place] == 1000 + order[i]);
  }
  COHORT_MUST(cohort_request_wait_any(requests, messages + 1, &place));
  CHECK(place == messages + 1);
  COHORT_MUST(cohort_request_wait_any(NULL, 0, &place));
  CHECK(place == 0);
  COHORT_MUST(cohort_request_wait(requests[0]));  // once more: nothing happens
  free_all();
}

static void all_at_once(void) {
  start_receives(10);
  int32_t complete = 1;
  COHORT_MUST(cohort_request_test(requests[0], &complete));
  CHECK(complete == 0);
  for (uint32_t i = 0; i < messages; ++i) send_to_myself(10 + i);
  while (complete == 0) COHORT_MUST(cohort_request_test(requests[0], &complete));
  COHORT_MUST(cohort_request_wait_all(requests, messages + 1));
  for (int i = 0; i < messages; ++i) CHECK(in[i] == 1010 + i);
  free_all();
}

static void cancelled(void) {
  start_receives(20);
  int32_t done = 0;
  for (int i = 0; i < messages; ++i) {
    COHORT_MUST(cohort_request_cancel(requests[i], &done));
    CHECK(done == 1);
  }
  int64_t place = -1;
  COHORT_MUST(cohort_request_wait_any(requests, messages, &place));
  CHECK(place == messages && in[0] == -1);
  free_all();

  cohort_request* late = NULL;
  int32_t value = 0;
  send_to_myself(30);
  COHORT_MUST(cohort_start_receive(all, &value, 1, COHORT_INT32, me, 30, &late));
  COHORT_MUST(cohort_request_wait(late));
  COHORT_MUST(cohort_request_cancel(late, &done));
  CHECK(done == 0 && value == 1030 && cohort_request_arrival(late).source == me);
  cohort_request_free(late);
}

// An exchange with nobody is complete at once, also for those who wait for one of several.
static void with_nobody(void) {
  cohort_persistent* nothing = NULL;
  int64_t place = -1;
  COHORT_MUST(cohort_prepare_exchange(all, NULL, 0, COHORT_NOBODY, NULL, 0, COHORT_NOBODY, COHORT_BYTE, 0, &nothing));
  COHORT_MUST(cohort_persistent_start(nothing, &requests[0]));
  COHORT_MUST(cohort_request_wait_any(requests, 1, &place));
  CHECK(place == 0);
  COHORT_MUST(cohort_request_wait_any(requests, 1, &place));
  CHECK(place == 1);
  cohort_request_free(requests[0]);
  requests[0] = NULL;
  cohort_persistent_free(nothing);
}

static void one_start_at_a_time(void) {
  cohort_persistent* receive = NULL;
  cohort_request *first = NULL, *second = NULL;
  int32_t value = 0;
  COHORT_MUST(cohort_prepare_receive(all, &value, 1, COHORT_INT32, me, 40, &receive));
  COHORT_MUST(cohort_persistent_start(receive, &first));
  CHECK(cohort_persistent_start(receive, &second) == COHORT_ERROR_ARGUMENT);
  send_to_myself(40);
  COHORT_MUST(cohort_request_wait(first));
  CHECK(value == 1040);
  cohort_request_free(first);
  cohort_persistent_free(receive);
}

int main(void) {
  join_job();
  in_the_order_of_arrival();
  all_at_once();
  cancelled();
  with_nobody();
  one_start_at_a_time();
  cohort_request_free(NULL);
  cohort_persistent_free(NULL);
  cohort_group_free(NULL);
  leave_job("requests");
}
