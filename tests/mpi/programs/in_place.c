// SPDX-License-Identifier: Apache-2.0
// Collectives that move data in place, against the same call with memory of its own.
#include "forms.h"

enum { MOST = 6 };

struct Round {
  enum Form form;
  int block, root, total, *counts, *places;  // of each rank; the same at all ranks, so symmetric between two
  int *own, *shared;                         // results of both calls
};

static int value_of(int rank, int at) { return rank * 1000 + at * 7 + (int)seed; }

static void compare(const struct Round* round, const char* name, int count) {
  char text[80];
  snprintf(text, sizeof text, "%s in place, form %d, root %d", name, round->form, round->root);
  expect_bytes(__FILE__, __LINE__, text, round->shared, round->own, sizeof(int) * (size_t)count);
}

static int* input(int count) {
  int* data = allocate(sizeof(int) * (size_t)count);
  for (int at = 0; at < count; ++at) data[at] = value_of(me, at);
  return data;
}

// Both results begin alike, with the own part where it belongs.
static void clear(struct Round* round, const int* mine, int place, int count) {
  memset(round->own, 0x33, sizeof(int) * (size_t)round->total);
  memcpy(round->own + place, mine, sizeof(int) * (size_t)count);
  memcpy(round->shared, round->own, sizeof(int) * (size_t)round->total);
}

static void to_root(struct Round* r, MPI_Comm comm) {
  MPI_Request request;
  int* mine = input(r->total);
  const bool root = me == r->root;
  clear(r, mine, me * r->block, r->block);
  MPI_Gather(mine, r->block, MPI_INT, r->own, r->block, MPI_INT, r->root, comm);
  CALL(r->form, &request, Gather, gather, root ? MPI_IN_PLACE : mine, root ? 0 : r->block,
       root ? MPI_DATATYPE_NULL : MPI_INT, r->shared, r->block, MPI_INT, r->root, comm);
  finish_call(&request);
  if (root) compare(r, "gather", r->block * ranks);

  clear(r, mine, r->places[me], r->counts[me]);
  MPI_Gatherv(mine, r->counts[me], MPI_INT, r->own, r->counts, r->places, MPI_INT, r->root, comm);
  CALL(r->form, &request, Gatherv, gatherv, root ? MPI_IN_PLACE : mine, r->counts[me], MPI_INT, r->shared, r->counts,
       r->places, MPI_INT, r->root, comm);
  finish_call(&request);
  if (root) compare(r, "gatherv", r->total);
  free(mine);
}

static void from_root(struct Round* r, MPI_Comm comm) {
  MPI_Request request;
  int* mine = input(r->total);
  const bool root = me == r->root;
  clear(r, mine, 0, 0);
  MPI_Scatter(mine, r->block, MPI_INT, r->own, r->block, MPI_INT, r->root, comm);
  CALL(r->form, &request, Scatter, scatter, mine, r->block, MPI_INT, root ? MPI_IN_PLACE : (void*)r->shared, r->block,
       MPI_INT, r->root, comm);
  finish_call(&request);
  if (!root) compare(r, "scatter", r->total);
  clear(r, mine, 0, 0);
  MPI_Scatterv(mine, r->counts, r->places, MPI_INT, r->own, r->counts[me], MPI_INT, r->root, comm);
  CALL(r->form, &request, Scatterv, scatterv, mine, r->counts, r->places, MPI_INT,
       root ? MPI_IN_PLACE : (void*)r->shared, r->counts[me], MPI_INT, r->root, comm);
  finish_call(&request);
  if (!root) compare(r, "scatterv", r->total);
  for (int at = 0; at < r->total; ++at) EXPECT_EQ(mine[at], value_of(me, at));
  free(mine);
}

static void to_all(struct Round* r, MPI_Comm comm) {
  MPI_Request request;
  int* mine = input(r->total);
  clear(r, mine, me * r->block, r->block);
  MPI_Allgather(mine, r->block, MPI_INT, r->own, r->block, MPI_INT, comm);
  CALL(r->form, &request, Allgather, allgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, r->shared, r->block, MPI_INT, comm);
  finish_call(&request);
  compare(r, "allgather", r->total);
  clear(r, mine, r->places[me], r->counts[me]);
  MPI_Allgatherv(mine, r->counts[me], MPI_INT, r->own, r->counts, r->places, MPI_INT, comm);
  CALL(r->form, &request, Allgatherv, allgatherv, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, r->shared, r->counts, r->places,
       MPI_INT, comm);
  finish_call(&request);
  compare(r, "allgatherv", r->total);
  free(mine);
}

// What two ranks exchange must be alike: as much as both their counts allow.
static void between_all(struct Round* r, MPI_Comm comm) {
  MPI_Request request;
  int* mine = input(r->total);
  int* pairs = allocate(sizeof(int) * (size_t)ranks);
  int* bytes = allocate(sizeof(int) * (size_t)ranks);
  MPI_Datatype* types = allocate(sizeof(MPI_Datatype) * (size_t)ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    pairs[rank] = r->counts[rank] < r->counts[me] ? r->counts[rank] : r->counts[me];
    bytes[rank] = r->places[rank] * (int)sizeof(int);
    types[rank] = MPI_INT;
  }
  clear(r, mine, 0, r->total);
  MPI_Alltoall(mine, r->block, MPI_INT, r->own, r->block, MPI_INT, comm);
  CALL(r->form, &request, Alltoall, alltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, r->shared, r->block, MPI_INT, comm);
  finish_call(&request);
  compare(r, "alltoall", r->total);
  clear(r, mine, 0, r->total);
  MPI_Alltoallv(mine, pairs, r->places, MPI_INT, r->own, pairs, r->places, MPI_INT, comm);
  CALL(r->form, &request, Alltoallv, alltoallv, MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, r->shared, pairs,
       r->places, MPI_INT, comm);
  finish_call(&request);
  compare(r, "alltoallv", r->total);
  clear(r, mine, 0, r->total);
  MPI_Alltoallw(mine, pairs, bytes, types, r->own, pairs, bytes, types, comm);
  CALL(r->form, &request, Alltoallw, alltoallw, MPI_IN_PLACE, NULL, NULL, NULL, r->shared, pairs, bytes, types, comm);
  finish_call(&request);
  compare(r, "alltoallw", r->total);
  free(types);
  free(bytes);
  free(pairs);
  free(mine);
}

int main(int argc, char** argv) {
  begin(argc, argv, "in_place", 20);
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  while (next_round()) {
    struct Dice dice = dice_of(12, 13);
    struct Round round = {(enum Form)below(&dice, FORMS),
                          below(&dice, MOST),
                          below(&dice, ranks),
                          MOST * ranks,
                          allocate(sizeof(int) * (size_t)ranks),
                          allocate(sizeof(int) * (size_t)ranks),
                          NULL,
                          NULL};
    round.own = allocate(sizeof(int) * (size_t)round.total);
    round.shared = allocate(sizeof(int) * (size_t)round.total);
    for (int rank = 0; rank < ranks; ++rank) {
      round.counts[rank] = below(&dice, MOST);
      round.places[rank] = (ranks - 1 - rank) * MOST + below(&dice, MOST - round.counts[rank]);
    }
    to_root(&round, comm);
    from_root(&round, comm);
    to_all(&round, comm);
    between_all(&round, comm);
    free(round.shared);
    free(round.own);
    free(round.places);
    free(round.counts);
  }
  MPI_Comm_free(&comm);
  return finish();
}
