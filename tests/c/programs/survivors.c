// SPDX-License-Identifier: Apache-2.0
// The last rank is killed. The others get an error that names it, and go on without it.
#include <signal.h>
#include <string.h>

#include "check.h"

int main(void) {
  join_job();
  if (me == ranks - 1) raise(SIGKILL);

  CHECK(cohort_sync(all) == COHORT_ERROR_PEER_LOST);
  const cohort_error* error = cohort_last_error();
  CHECK(error->pid == ranks - 1 && error->rank == ranks - 1 && strcmp(error->operation, "sync") == 0);
  CHECK(strcmp(error->host, cohort_process_host(self)) == 0 && strcmp(error->where, "cohort_sync") == 0);
  CHECK(strstr(error->text, "signal 9") != NULL);
  CHECK(cohort_sync(all) == COHORT_ERROR_PEER_LOST);  // the group has failed

  cohort_group* others = NULL;
  COHORT_MUST(cohort_group_survivors(all, &others));
  CHECK(cohort_group_size(others) == ranks - 1);
  const int32_t one = 1;
  int32_t sum = 0;
  COHORT_MUST(cohort_combine(others, &one, &sum, 1, COHORT_INT32, COHORT_SUM));
  CHECK(sum == ranks - 1);
  cohort_group_free(others);
  leave_job("survivors");
}
