// SPDX-License-Identifier: Apache-2.0
// Operators of the program: commutative or not, on basic and on derived types with gaps.
#include "reduction_calls.h"

// x -> scale * x + shift, modulo 2^32, with a gap between. Composition is associative, and does not commute.
struct Affine {
  uint32_t scale, gap, shift;
};

static MPI_Datatype affine;
static int calls;

static void draw_affine(struct Dice* dice, void* element) {
  const struct Affine drawn = {(uint32_t)draw(dice), 0x5a5a5a5a, (uint32_t)draw(dice)};
  memcpy(element, &drawn, sizeof drawn);
}

static void compose(const void* left, void* right) {
  const struct Affine* l = left;
  struct Affine* r = right;
  r->shift = l->shift * r->scale + r->shift;
  r->scale = l->scale * r->scale;
}

static void fold_affine(const struct Reduction* reduction, const void* left, void* right) {
  (void)reduction;
  compose(left, right);
}

static bool equal_affine(const void* found, const void* expected) {
  const struct Affine *f = found, *e = expected;
  return f->scale == e->scale && f->shift == e->shift && f->gap == 0x5a5a5a5a;
}

// Gaps are not the operator's: it neither reads nor writes them.
static void operator_of_affine(void* in, void* inout, int* count, MPI_Datatype* type) {
  ++calls;
  EXPECT(*type == affine);
  for (int at = 0; at < *count; ++at) compose((struct Affine*)in + at, (struct Affine*)inout + at);
}

// The sum of squares of the distances, as one double in two of a type: its parts are summed.
static void operator_of_pairs(void* in, void* inout, int* count, MPI_Datatype* type) {
  MPI_Aint lower, extent;
  MPI_Type_get_extent(*type, &lower, &extent);
  EXPECT_EQ(extent, 2 * (int)sizeof(double));
  for (int at = 0; at < 2 * *count; ++at) ((double*)inout)[at] += ((double*)in)[at];
}

static void draw_pair(struct Dice* dice, void* element) {
  const double pair[2] = {between(dice, -100, 100), between(dice, -100, 100)};
  memcpy(element, pair, sizeof pair);
}

static void fold_pair(const struct Reduction* reduction, const void* left, void* right) {
  (void)reduction;
  for (int at = 0; at < 2; ++at) ((double*)right)[at] += ((const double*)left)[at];
}

static bool equal_pair(const void* found, const void* expected) {
  return memcmp(found, expected, 2 * sizeof(double)) == 0;
}

static MPI_Datatype make_affine(void) {
  MPI_Datatype bare, type;
  MPI_Type_create_indexed_block(2, 1, (int[]){0, 2}, MPI_UINT32_T, &bare);
  MPI_Type_create_resized(bare, 0, sizeof(struct Affine), &type);
  MPI_Type_free(&bare);
  MPI_Type_commit(&type);
  return type;
}

// A type is freed while an operation uses it; so is the operator.
static void freed_early(void) {
  struct Affine mine = {3, 0x5a5a5a5a, (uint32_t)me}, all = mine, expected = {3, 0x5a5a5a5a, 0};
  MPI_Op op;
  MPI_Request request;
  MPI_Op_create(operator_of_affine, 0, &op);
  MPI_Iallreduce(&mine, &all, 1, affine, op, MPI_COMM_WORLD, &request);
  MPI_Op_free(&op);
  EXPECT(op == MPI_OP_NULL);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int rank = 1; rank < ranks; ++rank) {
    struct Affine next = {3, 0x5a5a5a5a, (uint32_t)rank};
    compose(&expected, &next);
    expected = next;
  }
  EXPECT_BYTES(&all, &expected, sizeof all);
}

int main(int argc, char** argv) {
  begin(argc, argv, "user_reductions", 15);
  MPI_Datatype pair;
  MPI_Op composition, sum;
  int commutes = -1;
  affine = make_affine();
  MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
  MPI_Type_commit(&pair);
  MPI_Op_create(operator_of_affine, 0, &composition);
  MPI_Op_create(operator_of_pairs, 1, &sum);
  MPI_Op_commutative(composition, &commutes);
  EXPECT_EQ(commutes, 0);
  MPI_Op_commutative(sum, &commutes);
  EXPECT_EQ(commutes, 1);
  const struct Reduction reductions[] = {
      {affine, composition, "composition", sizeof(struct Affine), draw_affine, fold_affine, equal_affine, 0},
      {pair, sum, "sum of pairs", 2 * sizeof(double), draw_pair, fold_pair, equal_pair, 0},
  };
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  while (next_round()) {
    struct Dice dice = dice_of(10, 11);
    for (int at = 0; at < 2; ++at) run_reductions(&reductions[at], 6, &dice, comm);
  }
  EXPECT(ranks == 1 || calls > 0);
  freed_early();
  MPI_Comm_free(&comm);
  MPI_Op_free(&composition);
  MPI_Op_free(&sum);
  MPI_Type_free(&pair);
  MPI_Type_free(&affine);
  return finish();
}
