// SPDX-License-Identifier: Apache-2.0
// A call that must succeed, and does not.
#include "check.h"

int main(void) {
  join_job();
  COHORT_MUST(cohort_bcast(all, &me, 1, COHORT_INT32, -1));
  leave_job("must");
}
