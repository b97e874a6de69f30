// SPDX-License-Identifier: Apache-2.0
// Every element type with every operator that is defined for it, and operators of the program.
#include <complex.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"

static int64_t product_of_ranks(void) {
  int64_t product = 1;
  for (int32_t rank = 0; rank < ranks; ++rank) product *= rank + 1;
  return product;
}

static int64_t bits(bool all_set) {
  int64_t result = all_set ? 127 : 0;
  for (int32_t rank = 0; rank < ranks; ++rank) result = all_set ? result & (64 + rank) : result | (64 + rank);
  return result;
}

static int64_t odd_bits(void) {
  int64_t result = 0;
  for (int32_t rank = 0; rank < ranks; ++rank) result ^= 64 + rank;
  return result;
}

// `expected` is of two elements, each computed from one element `mine`.
#define EXPECT(T, type, mine, operation, expected)                 \
  do {                                                             \
    T in[2] = {mine, mine}, out[2];                                \
    COHORT_MUST(cohort_combine(all, in, out, 2, type, operation)); \
    CHECK(out[0] == (T)(expected) && out[1] == (T)(expected));     \
  } while (0)

#define EXPECT_SUMS(T, type)                                       \
  EXPECT(T, type, (T)(me + 1), COHORT_SUM, ranks*(ranks + 1) / 2); \
  EXPECT(T, type, (T)(me + 1), COHORT_PRODUCT, product_of_ranks())

#define EXPECT_NUMBERS(T, type)                                       \
  EXPECT_SUMS(T, type);                                               \
  EXPECT(T, type, (T)(me + 1), COHORT_MINIMUM, 1);                    \
  EXPECT(T, type, (T)(me + 1), COHORT_MAXIMUM, ranks);                \
  EXPECT(T, type, (T)(me > 0 ? 2 : 0), COHORT_LOGICAL_AND, 0);        \
  EXPECT(T, type, (T)(me > 0 ? 2 : 0), COHORT_LOGICAL_OR, ranks > 1); \
  EXPECT(T, type, (T)(me > 0 ? 2 : 0), COHORT_LOGICAL_XOR, (ranks - 1) % 2)

#define EXPECT_INTEGERS(T, type)                             \
  EXPECT_NUMBERS(T, type);                                   \
  EXPECT(T, type, (T)(64 + me), COHORT_BIT_AND, bits(true)); \
  EXPECT(T, type, (T)(64 + me), COHORT_BIT_OR, bits(false)); \
  EXPECT(T, type, (T)(64 + me), COHORT_BIT_XOR, odd_bits())

// The highest value is the last rank's, the lowest one is everybody else's.
#define EXPECT_LOCATED(T, type)                                                              \
  do {                                                                                       \
    struct {                                                                                 \
      T value;                                                                               \
      int64_t location;                                                                      \
    } in = {(T)(me == ranks - 1), 10 + me}, out;                                             \
    memset(&out, 0, sizeof out);                                                             \
    COHORT_MUST(cohort_combine(all, &in, &out, 1, COHORT_LOCATED(type), COHORT_MAXIMUM_AT)); \
    CHECK(out.value == (T)1 && out.location == 10 + ranks - 1);                              \
    COHORT_MUST(cohort_combine(all, &in, &out, 1, COHORT_LOCATED(type), COHORT_MINIMUM_AT)); \
    CHECK(out.value == (T)(ranks == 1) && out.location == 10);                               \
  } while (0)

static void built_in(void) {
  EXPECT_INTEGERS(int8_t, COHORT_INT8);
  EXPECT_INTEGERS(uint8_t, COHORT_UINT8);
  EXPECT_INTEGERS(int16_t, COHORT_INT16);
  EXPECT_INTEGERS(uint16_t, COHORT_UINT16);
  EXPECT_INTEGERS(int32_t, COHORT_INT32);
  EXPECT_INTEGERS(uint32_t, COHORT_UINT32);
  EXPECT_INTEGERS(int64_t, COHORT_INT64);
  EXPECT_INTEGERS(uint64_t, COHORT_UINT64);
  EXPECT_NUMBERS(float, COHORT_FLOAT);
  EXPECT_NUMBERS(double, COHORT_DOUBLE);
  EXPECT_NUMBERS(long double, COHORT_LONG_DOUBLE);
  EXPECT_SUMS(float complex, COHORT_COMPLEX_FLOAT);
  EXPECT_SUMS(double complex, COHORT_COMPLEX_DOUBLE);
  EXPECT_SUMS(long double complex, COHORT_COMPLEX_LONG_DOUBLE);
  EXPECT(double complex, COHORT_COMPLEX_DOUBLE, (me + 1) * I, COHORT_SUM, I * (ranks * (ranks + 1) / 2));
  EXPECT(bool, COHORT_BOOL, me == 0, COHORT_LOGICAL_OR, true);
  EXPECT(bool, COHORT_BOOL, me == 0, COHORT_BIT_AND, ranks == 1);
  EXPECT_LOCATED(int8_t, COHORT_INT8);
  EXPECT_LOCATED(int32_t, COHORT_INT32);
  EXPECT_LOCATED(uint64_t, COHORT_UINT64);
  EXPECT_LOCATED(float, COHORT_FLOAT);
  EXPECT_LOCATED(double, COHORT_DOUBLE);
  EXPECT_LOCATED(long double, COHORT_LONG_DOUBLE);
}

// 1, 2, 3 and 4 with 16 bits, and the sums of the first of them.
static void floats_of_16_bits(void) {
  static const uint16_t half[] = {0x3c00, 0x4000, 0x4200, 0x4400}, half_sum[] = {0, 0x3c00, 0x4200, 0, 0x4900};
  static const uint16_t brain[] = {0x3f80, 0x4000, 0x4040, 0x4080}, brain_sum[] = {0, 0x3f80, 0x4040, 0, 0x4120};
  EXPECT(uint16_t, COHORT_FLOAT16, half[me], COHORT_SUM, half_sum[ranks]);
  EXPECT(uint16_t, COHORT_FLOAT16, half[me], COHORT_MAXIMUM, half[ranks - 1]);
  EXPECT(uint16_t, COHORT_BFLOAT16, brain[me], COHORT_SUM, brain_sum[ranks]);
  EXPECT(uint16_t, COHORT_BFLOAT16, brain[me], COHORT_MINIMUM, brain[0]);
}

// A linear map x -> slope x + offset. To do one after the other is associative, and does not commute.
typedef struct {
  int64_t slope, offset;
  char padding[5];
} linear_map;

static void one_after_the_other(void* context, const void* left, const void* right, void* result, int64_t count) {
  const linear_map *first = left, *second = right;
  linear_map* both = result;
  *(int64_t*)context += count;
  for (int64_t i = 0; i < count; ++i) {
    const linear_map map = {
        second[i].slope * first[i].slope, second[i].slope * first[i].offset + second[i].offset, {0}};
    both[i] = map;
  }
}

static void larger(void* context, const void* left, const void* right, void* result, int64_t count) {
  (void)context;
  const int32_t *a = left, *b = right;
  int32_t* c = result;
  for (int64_t i = 0; i < count; ++i) c[i] = a[i] > b[i] ? a[i] : b[i];
}

static void of_the_program(void) {
  int64_t applied = 0;
  const cohort_operator ordered = {.function = one_after_the_other, .context = &applied};
  const cohort_type maps = cohort_type_of_size((int64_t)sizeof(linear_map));
  linear_map mine[3], composed[3], expected = {1, 0, {0}};
  for (int i = 0; i < 3; ++i) mine[i] = (linear_map){me + 2, me + 1, {0}};
  for (int32_t rank = 0; rank < ranks; ++rank) {
    expected.slope *= rank + 2;
    expected.offset = (rank + 2) * expected.offset + rank + 1;
  }
  IN_EACH_WAY(memset(composed, 0, sizeof composed),
              CHECK(composed[2].slope == expected.slope && composed[2].offset == expected.offset), combine, all, mine,
              composed, 3, maps, &ordered);
  COHORT_MUST(cohort_combine(all, NULL, &applied, 1, COHORT_INT64, COHORT_SUM));
  CHECK((applied > 0) == (ranks > 1));

  const cohort_operator commuting = {.function = larger, .commutative = 1};
  int32_t highest = -1;
  COHORT_MUST(cohort_combine(all, &me, &highest, 1, COHORT_INT32, &commuting));
  CHECK(highest == ranks - 1);
}

int main(void) {
  join_job();
  built_in();
  floats_of_16_bits();
  of_the_program();
  leave_job("reductions");
}
