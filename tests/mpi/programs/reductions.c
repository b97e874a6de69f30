// SPDX-License-Identifier: Apache-2.0
// Reductions with all predefined operators on all types that they are defined for.
#include "numbers.h"
#include "reduction_calls.h"

static struct Number numbers[MOST_NUMBERS];
static struct Number* number;  // of the reduction that runs

static void fold(const struct Reduction* reduction, const void* left, void* right) {
  number->fold((enum Operator)reduction->which, left, right);
}

// MPI_Reduce_local: out = in op out.
static void locally(const struct Reduction* reduction, struct Dice* dice) {
  enum { COUNT = 5 };
  uint8_t* in = allocate(COUNT * reduction->bytes);
  uint8_t* out = allocate(COUNT * reduction->bytes);
  uint8_t* expected = allocate(COUNT * reduction->bytes);
  for (size_t at = 0; at < COUNT * reduction->bytes; at += reduction->bytes) {
    reduction->draw(dice, in + at);
    reduction->draw(dice, out + at);
    memcpy(expected + at, out + at, reduction->bytes);
    reduction->fold(reduction, in + at, expected + at);
  }
  MPI_Reduce_local(in, out, COUNT, reduction->type, reduction->op);
  for (size_t at = 0; at < COUNT * reduction->bytes; at += reduction->bytes) {
    if (!reduction->equal(out + at, expected + at)) FAIL("MPI_Reduce_local of %s differs", reduction->name);
  }
  free(expected);
  free(out);
  free(in);
}

int main(int argc, char** argv) {
  begin(argc, argv, "reductions", 1);
  const int count = all_numbers(numbers);
  while (next_round()) {
    struct Dice dice = dice_of(8, 9);
    for (int at = 0; at < count; ++at) {
      number = &numbers[at];
      for (int operator= 0; operator<OPERATORS; ++operator) {
        long double left[4] = {0}, right[4] = {0};
        if (!number->fold((enum Operator) operator, left, right)) continue;
        char name[64];
        snprintf(name, sizeof name, "%s of %s", name_of((enum Operator) operator), number->name);
        const struct Reduction reduction = {number->type, handle_of((enum Operator) operator), name, number->bytes,
                                            number->draw, fold, number->equal, operator};
        locally(&reduction, &dice);
        run_reductions(&reduction, 2, &dice, MPI_COMM_WORLD);
      }
    }
  }
  int commutes = 0;
  MPI_Op_commutative(MPI_SUM, &commutes);
  EXPECT_EQ(commutes, 1);
  return finish();
}
