// SPDX-License-Identifier: Apache-2.0
// Rank 0 calls another operation than the others: all get an error that says so.
#include <string.h>

#include "check.h"

int main(void) {
  join_job();
  double in = 0, out = 0;
  const int code = me == 0 ? cohort_combine(all, &in, &out, 1, COHORT_DOUBLE, COHORT_SUM)
                           : cohort_bcast(all, &in, 1, COHORT_DOUBLE, 0);
  CHECK(code == COHORT_ERROR_MISMATCH);
  CHECK(strstr(cohort_last_error()->text, "combine") != NULL && strstr(cohort_last_error()->text, "bcast") != NULL);
  leave_job("mismatch");
}
