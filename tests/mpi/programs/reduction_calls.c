// SPDX-License-Identifier: Apache-2.0
#include "reduction_calls.h"

#include "forms.h"

enum { REDUCE, ALLREDUCE, SCAN, EXSCAN, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, KINDS };

struct Run {
  const struct Reduction* reduction;
  int kind, count, root, *counts;  // count: of elements that each rank gives
  enum Form form;
  bool in_place;
  struct Dice dice;
};

static uint8_t* inputs_of(const struct Run* run, int rank) {
  struct Dice dice = run->dice;
  dice.state += (uint64_t)rank;
  uint8_t* data = allocate((size_t)run->count * run->reduction->bytes);
  for (int at = 0; at < run->count; ++at) run->reduction->draw(&dice, data + (size_t)at * run->reduction->bytes);
  return data;
}

// All that the ranks first to last - 1 give, in their order.
static uint8_t* folded(const struct Run* run, int last) {
  uint8_t* left = inputs_of(run, 0);
  for (int rank = 1; rank < last; ++rank) {
    uint8_t* right = inputs_of(run, rank);
    for (int at = 0; at < run->count; ++at) {
      const size_t place = (size_t)at * run->reduction->bytes;
      run->reduction->fold(run->reduction, left + place, right + place);
    }
    free(left);
    left = right;
  }
  return left;
}

// Where in the result of all ranks' elements this rank's part is.
static void part_of(const struct Run* run, int* first, int* count) {
  *first = 0;
  *count = run->count;
  if (run->kind < REDUCE_SCATTER) return;
  for (int rank = 0; rank < me; ++rank) *first += run->counts[rank];
  *count = run->counts[me];
}

static void call(const struct Run* run, const void* in, void* out, MPI_Comm comm, MPI_Request* request) {
  const MPI_Datatype type = run->reduction->type;
  const MPI_Op op = run->reduction->op;
  const int count = run->count, block = run->counts[0];
  switch (run->kind) {
    case REDUCE:
      CALL(run->form, request, Reduce, reduce, in, out, count, type, op, run->root, comm);
      break;
    case ALLREDUCE:
      CALL(run->form, request, Allreduce, allreduce, in, out, count, type, op, comm);
      break;
    case SCAN:
      CALL(run->form, request, Scan, scan, in, out, count, type, op, comm);
      break;
    case EXSCAN:
      CALL(run->form, request, Exscan, exscan, in, out, count, type, op, comm);
      break;
    case REDUCE_SCATTER:
      CALL(run->form, request, Reduce_scatter, reduce_scatter, in, out, run->counts, type, op, comm);
      break;
    default:
      CALL(run->form, request, Reduce_scatter_block, reduce_scatter_block, in, out, block, type, op, comm);
  }
}

static void run_one(const struct Run* run, MPI_Comm comm) {
  static const char* const names[KINDS] = {"reduce", "allreduce",      "scan",
                                           "exscan", "reduce_scatter", "reduce_scatter_block"};
  enum { AROUND = 16 };
  const size_t bytes = run->reduction->bytes;
  uint8_t *in = inputs_of(run, me), *before = inputs_of(run, me);
  uint8_t* out = allocate((size_t)run->count * bytes + AROUND);
  memset(out, 0x5a, (size_t)run->count * bytes + AROUND);
  const bool in_place = run->in_place && (run->kind != REDUCE || me == run->root);
  if (in_place) memcpy(out, in, (size_t)run->count * bytes);
  MPI_Request request;
  call(run, in_place ? MPI_IN_PLACE : in, out, comm, &request);
  finish_call(&request);

  int first, count;
  part_of(run, &first, &count);
  const bool defined = (run->kind != REDUCE || me == run->root) && (run->kind != EXSCAN || me > 0);
  if (defined && run->count > 0) {
    uint8_t* expected = folded(run, run->kind == SCAN ? me + 1 : run->kind == EXSCAN ? me : ranks);
    for (int at = 0; at < count; ++at) {
      if (run->reduction->equal(out + (size_t)at * bytes, expected + (size_t)(first + at) * bytes)) continue;
      FAIL("%s with %s, %d elements, form %d, root %d, in place %d: element %d differs", names[run->kind],
           run->reduction->name, run->count, run->form, run->root, run->in_place, at);
    }
    free(expected);
  }
  for (int at = 0; at < AROUND; ++at) EXPECT_EQ(out[(size_t)run->count * bytes + (size_t)at], 0x5a);
  EXPECT_BYTES(in, before, (size_t)run->count * bytes);
  free(out);
  free(before);
  free(in);
}

void run_reductions(const struct Reduction* reduction, int collectives, struct Dice* dice, MPI_Comm comm) {
  int* counts = allocate(sizeof(int) * (size_t)ranks);
  for (int turn = 0; turn < collectives; ++turn) {
    const int kind = below(dice, KINDS);
    struct Run run = {reduction,      kind,        0, below(dice, ranks), counts, (enum Form)below(dice, FORMS),
                      below(dice, 2), {draw(dice)}};
    const int block = below(dice, 4);
    for (int rank = 0; rank < ranks; ++rank) {
      counts[rank] = kind == REDUCE_SCATTER_BLOCK ? block : below(dice, 5);
      run.count += counts[rank];
    }
    if (kind < REDUCE_SCATTER) run.count = below(dice, 8) ? below(dice, 20) : between(dice, 500, 3000);
    run_one(&run, comm);
  }
  free(counts);
}
