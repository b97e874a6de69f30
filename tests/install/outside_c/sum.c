// SPDX-License-Identifier: Apache-2.0
// Sums the pids of all processes and prints the result, once.
#include <cohort/cohort.h>
#include <inttypes.h>
#include <stdio.h>

int main(void) {
  cohort_process* self = NULL;
  cohort_group* all = NULL;
  COHORT_MUST(cohort_join(&self));
  COHORT_MUST(cohort_group_all(self, &all));

  const int32_t mine = cohort_process_pid(self) + 1;
  int32_t sum = 0;
  COHORT_MUST(cohort_combine(all, &mine, &sum, 1, COHORT_INT32, COHORT_SUM));
  if (mine == 1) printf("sum %" PRId32 "\n", sum);
  cohort_group_free(all);
  COHORT_MUST(cohort_leave(self));
}
