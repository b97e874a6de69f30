// SPDX-License-Identifier: Apache-2.0
// What the programs share.
#ifndef CHECK_H
#define CHECK_H

#include <cohort/cohort.h>
#include <stdio.h>
#include <stdlib.h>

// Ends the process if the condition is not true.
#define CHECK(condition) ((condition) ? (void)0 : check_failed(__FILE__, __LINE__, #condition))

static inline void check_failed(const char* file, int line, const char* condition) {
  fprintf(stderr, "%s:%d: not true: %s; the latest error: %s\n", file, line, condition, cohort_last_error()->text);
  exit(1);
}

// What the latest receive that was started has met.
static cohort_arrival met;

// Makes the call, started and then prepared, which it starts twice. `before` and `after` are done around each of them.
#define STARTED_AND_PREPARED(before, after, operation, ...)           \
  do {                                                                \
    cohort_request* started = NULL;                                   \
    cohort_persistent* prepared = NULL;                               \
    COHORT_MUST(cohort_prepare_##operation(__VA_ARGS__, &prepared));  \
    for (int start = 0; start < 3; ++start) {                         \
      before;                                                         \
      if (start == 0)                                                 \
        COHORT_MUST(cohort_start_##operation(__VA_ARGS__, &started)); \
      else                                                            \
        COHORT_MUST(cohort_persistent_start(prepared, &started));     \
      COHORT_MUST(cohort_request_wait(started));                      \
      met = cohort_request_arrival(started);                          \
      cohort_request_free(started);                                   \
      after;                                                          \
    }                                                                 \
    cohort_persistent_free(prepared);                                 \
  } while (0)

// The same with the blocking call first.
#define IN_EACH_WAY(before, after, operation, ...)               \
  do {                                                           \
    before;                                                      \
    COHORT_MUST(cohort_##operation(__VA_ARGS__));                \
    after;                                                       \
    STARTED_AND_PREPARED(before, after, operation, __VA_ARGS__); \
  } while (0)

// Of an operation that receives.
#define RECEIVE_IN_EACH_WAY(before, after, operation, ...)       \
  do {                                                           \
    before;                                                      \
    COHORT_MUST(cohort_##operation(__VA_ARGS__, &met));          \
    after;                                                       \
    STARTED_AND_PREPARED(before, after, operation, __VA_ARGS__); \
  } while (0)

// The job, as every program has it.
static cohort_process* self;
static cohort_group* all;
static int32_t me, ranks;

static inline void join_job(void) {
  (void)met;  // programs without messages do not look at it
  COHORT_MUST(cohort_join(&self));
  COHORT_MUST(cohort_group_all(self, &all));
  me = cohort_group_rank(all);
  ranks = cohort_group_size(all);
}

static inline void leave_job(const char* program) {
  cohort_group_free(all);
  COHORT_MUST(cohort_leave(self));
  if (me == 0) printf("ok %s\n", program);
}

#endif
