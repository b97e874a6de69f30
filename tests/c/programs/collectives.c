// SPDX-License-Identifier: Apache-2.0
// Every collective, in each of the three ways: its result.
#include <string.h>

#include "check.h"

enum { most = 64 };  // elements

static int64_t in[most], out[most];
static int64_t counts[most];

// Elements that tell the rank and the place; the result begins as elements that no rank has.
static void fill(int64_t count) {
  for (int64_t i = 0; i < most; ++i) {
    in[i] = i < count ? 100 * (me + 1) + i : -1;
    out[i] = -2;
  }
}

static void fill_in_place(int64_t at, int64_t count) {
  fill(0);
  for (int64_t i = 0; i < count; ++i) out[at + i] = 100 * (me + 1) + i;
}

// The sum of the elements at place i over the ranks before `end`.
static int64_t sum_to(int32_t end, int64_t i) {
  int64_t sum = 0;
  for (int32_t rank = 0; rank < end; ++rank) sum += 100 * (rank + 1) + i;
  return sum;
}

static void check_sums(int32_t end, int64_t count) {
  for (int64_t i = 0; i < count; ++i) CHECK(out[i] == sum_to(end, i));
  CHECK(out[count] == -2);
}

static void check_from(int32_t rank, int64_t first, int64_t count) {
  for (int64_t i = 0; i < count; ++i) CHECK(out[i] == 100 * (rank + 1) + first + i);
  CHECK(out[count] == -2);
}

// The counts 1, 2, ..., one for each rank; the place of a rank's block, and the end of the last one.
static int64_t before(int32_t rank) { return (int64_t)rank * (rank + 1) / 2; }

static void check_blocks(void) {
  for (int32_t rank = 0; rank < ranks; ++rank) {
    for (int64_t i = 0; i <= rank; ++i) CHECK(out[before(rank) + i] == 100 * (rank + 1) + i);
  }
  CHECK(out[before(ranks)] == -2);
}

static void check_equal_blocks(int64_t count) {
  for (int32_t rank = 0; rank < ranks; ++rank) {
    for (int64_t i = 0; i < count; ++i) CHECK(out[rank * count + i] == 100 * (rank + 1) + i);
  }
  CHECK(out[ranks * count] == -2);
}

static void check_untouched(void) { CHECK(out[0] == -2); }

static void vectors(int32_t root) {
  IN_EACH_WAY(me == root ? fill_in_place(0, 3) : fill(0), check_from(root, 0, 3), bcast, all, out, 3, COHORT_INT64,
              root);
  IN_EACH_WAY(fill(3), me == root ? check_sums(ranks, 3) : check_untouched(), reduce, all, in, out, 3, COHORT_INT64,
              COHORT_SUM, root);
  IN_EACH_WAY(me == root ? fill_in_place(0, 3) : fill(3), me == root ? check_sums(ranks, 3) : check_untouched(), reduce,
              all, me == root ? NULL : in, out, 3, COHORT_INT64, COHORT_SUM, root);
}

static void reductions(void) {
  IN_EACH_WAY(fill(3), check_sums(ranks, 3), combine, all, in, out, 3, COHORT_INT64, COHORT_SUM);
  IN_EACH_WAY(fill_in_place(0, 3), check_sums(ranks, 3), combine, all, NULL, out, 3, COHORT_INT64, COHORT_SUM);
  IN_EACH_WAY(fill(3), check_sums(me + 1, 3), prefix, all, in, out, 3, COHORT_INT64, COHORT_SUM);
  IN_EACH_WAY(fill_in_place(0, 3), check_sums(me + 1, 3), prefix, all, NULL, out, 3, COHORT_INT64, COHORT_SUM);
  IN_EACH_WAY(fill(3), me > 0 ? check_sums(me, 3) : check_untouched(), exclusive_prefix, all, in, out, 3, COHORT_INT64,
              COHORT_SUM);
  IN_EACH_WAY(fill_in_place(0, 3), me > 0 ? check_sums(me, 3) : check_from(0, 0, 3), exclusive_prefix, all, NULL, out,
              3, COHORT_INT64, COHORT_SUM);
}

static void check_own_sums(int64_t first, int64_t count) {
  for (int64_t i = 0; i < count; ++i) CHECK(out[i] == sum_to(ranks, first + i));
  CHECK(out[count] == -2);
}

static void blocks(int32_t root) {
  IN_EACH_WAY(fill(2 * ranks), check_from(root, 2 * me, 2), scatter, all, in, out, 2, NULL, COHORT_INT64, root);
  IN_EACH_WAY(fill(before(ranks)), check_from(root, before(me), me + 1), scatter, all, in, out, me + 1, counts,
              COHORT_INT64, root);
  IN_EACH_WAY(fill(2), me == root ? check_equal_blocks(2) : check_untouched(), gather, all, in, out, 2, NULL,
              COHORT_INT64, root);
  IN_EACH_WAY(fill(me + 1), me == root ? check_blocks() : check_untouched(), gather, all, in, out, me + 1, counts,
              COHORT_INT64, root);
}

static void blocks_to_all(void) {
  IN_EACH_WAY(fill(2), check_equal_blocks(2), concat, all, in, out, 2, NULL, COHORT_INT64);
  IN_EACH_WAY(fill_in_place(2 * me, 2), check_equal_blocks(2), concat, all, NULL, out, 2, NULL, COHORT_INT64);
  IN_EACH_WAY(fill(me + 1), check_blocks(), concat, all, in, out, me + 1, counts, COHORT_INT64);
  IN_EACH_WAY(fill_in_place(before(me), me + 1), check_blocks(), concat, all, NULL, out, me + 1, counts, COHORT_INT64);
  IN_EACH_WAY(fill(2 * ranks), check_own_sums(2 * me, 2), reduce_scatter, all, in, out, 2, NULL, COHORT_INT64,
              COHORT_SUM);
  IN_EACH_WAY(fill(before(ranks)), check_own_sums(before(me), me + 1), reduce_scatter, all, in, out, me + 1, counts,
              COHORT_INT64, COHORT_SUM);
}

static void check_index(int64_t first, int64_t count) {
  for (int32_t rank = 0; rank < ranks; ++rank) {
    for (int64_t i = 0; i < count; ++i) CHECK(out[rank * count + i] == 100 * (rank + 1) + first + i);
  }
  CHECK(out[ranks * count] == -2);
}

static void exchanges(void) {
  IN_EACH_WAY(fill(2 * ranks), check_index(2 * me, 2), index, all, in, out, 2, COHORT_INT64);
  // Rank r gets r + 1 elements from everyone.
  int64_t received[most];
  for (int32_t rank = 0; rank < ranks; ++rank) received[rank] = me + 1;
  IN_EACH_WAY(fill(before(ranks)), check_index(before(me), me + 1), index_counts, all, in, counts, out, received,
              COHORT_INT64);
}

static void shifts(void) {
  const int32_t from = ((me - 1) % ranks + ranks) % ranks;
  IN_EACH_WAY(fill(2), check_from(from, 0, 2), shift, all, in, out, 2, COHORT_INT64, 1 - 2 * (int64_t)ranks);
  IN_EACH_WAY(fill(2), me > 0 ? check_from(me - 1, 0, 2) : check_untouched(), open_shift, all, in, out, 2, COHORT_INT64,
              1);
}

int main(void) {
  join_job();
  for (int32_t rank = 0; rank < ranks; ++rank) counts[rank] = rank + 1;
  for (int32_t root = 0; root < ranks; ++root) {
    vectors(root);
    blocks(root);
  }
  reductions();
  blocks_to_all();
  exchanges();
  shifts();
  IN_EACH_WAY((void)0, (void)0, sync, all);

  // An algorithm by name; a rank without elements.
  cohort_group* linear = NULL;
  COHORT_MUST(cohort_group_by(all, "binomial", &linear));
  IN_EACH_WAY(me == 0 ? fill_in_place(0, 3) : fill(0), check_from(0, 0, 3), bcast, linear, out, 3, COHORT_INT64, 0);
  CHECK(ranks == 1 || strcmp(cohort_group_latest_algorithm(all), "bcast/binomial") == 0);
  cohort_group_free(linear);
  counts[ranks - 1] = 0;
  IN_EACH_WAY(fill(me + 1), CHECK(out[before(ranks - 1)] == -2), concat, all, me + 1 < ranks ? in : NULL, out,
              counts[me], counts, COHORT_INT64);
  leave_job("collectives");
}
