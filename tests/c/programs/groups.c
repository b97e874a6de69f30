// SPDX-License-Identifier: Apache-2.0
// The job's processes, and groups of them.
#include <string.h>

#include "check.h"

static void processes(void) {
  CHECK(cohort_process_pid(self) == me && cohort_process_size(self) == ranks);
  CHECK(strlen(cohort_process_host(self)) > 0);
  CHECK((cohort_process_settings(self) & COHORT_PROGRESS_THREAD) == 0);
  CHECK((cohort_process_settings(self) & COHORT_BARRIER) != 0);
  const char* mode = getenv("EXPECTED_MODE");
  CHECK(((cohort_process_settings(self) & COHORT_DEVELOP) != 0) == (mode != NULL && strcmp(mode, "develop") == 0));
}

static void list(void) {
  cohort_group* reversed = NULL;
  int32_t pids[16], members[16], rank = -1, pid = -1;
  for (int32_t i = 0; i < ranks; ++i) pids[i] = ranks - 1 - i;
  COHORT_MUST(cohort_group_of(self, pids, ranks, 17, &reversed));
  CHECK(cohort_group_size(reversed) == ranks && cohort_group_rank(reversed) == ranks - 1 - me);
  CHECK(cohort_group_label(reversed) == 17);
  cohort_group_members(reversed, members);
  CHECK(memcmp(members, pids, sizeof *pids * (size_t)ranks) == 0);
  COHORT_MUST(cohort_group_rank_of(reversed, 0, &rank));
  COHORT_MUST(cohort_group_pid_of(reversed, 0, &pid));
  CHECK(rank == ranks - 1 && pid == ranks - 1);
  CHECK(cohort_group_rank_of(reversed, ranks, &rank) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_group_pid_of(reversed, -1, &pid) == COHORT_ERROR_ARGUMENT);

  // Each group has another name, which is the same at all members.
  const cohort_id id = cohort_group_id(reversed), of_all = cohort_group_id(all);
  cohort_id first = id;
  COHORT_MUST(cohort_bcast(reversed, &first, 1, cohort_type_of_size((int64_t)sizeof first), 0));
  CHECK(first.counter == id.counter && first.pid == id.pid && first.derivation == id.derivation);
  CHECK(id.counter != of_all.counter || id.pid != of_all.pid);
  cohort_group_free(reversed);

  CHECK(cohort_group_of(self, pids, 0, 0, &reversed) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_group_of(self, NULL, 1, 0, &reversed) == COHORT_ERROR_ARGUMENT);
  CHECK(cohort_group_of(self, pids, -1, 0, &reversed) == COHORT_ERROR_ARGUMENT);
}

static void parts(void) {
  cohort_group *parity = NULL, *upper = NULL;
  int64_t sum = 0;
  const int64_t mine = me;
  COHORT_MUST(cohort_group_partition(all, me % 2, -me, &parity));
  CHECK(cohort_group_size(parity) == (ranks + 1 - me % 2) / 2 && cohort_group_label(parity) == me % 2);
  COHORT_MUST(cohort_combine(parity, &mine, &sum, 1, COHORT_INT64, COHORT_SUM));
  CHECK(sum == (ranks == 4 ? 2 + 2 * (me % 2) : me));
  CHECK(cohort_group_rank(parity) == cohort_group_size(parity) - 1 - me / 2);
  cohort_group_free(parity);

  if (me >= ranks / 2) {
    COHORT_MUST(cohort_group_subrange(all, ranks / 2, 1, ranks - ranks / 2, &upper));
    CHECK(cohort_group_rank(upper) == me - ranks / 2);
    COHORT_MUST(cohort_sync(upper));
    cohort_group_free(upper);
  } else {
    CHECK(cohort_group_subrange(all, ranks / 2, 1, ranks - ranks / 2, &upper) == COHORT_ERROR_ARGUMENT);
  }
}

int main(void) {
  join_job();
  processes();
  list();
  parts();
  leave_job("groups");
}
